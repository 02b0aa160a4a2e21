/// How it is known that Fleet Engine does something.
enum Basis: String, Sendable {
    /// Google documents it.
    case documented
    /// A public recording of Fleet Engine shows it.
    case recorded
    /// It follows from the documentation, or something had to be chosen.
    case inferred
    /// It is documented, and the emulator does not do it.
    case notDone = "not done"
}
