#if Emulator
/// What the emulator does as Fleet Engine, and how that is known.
enum Parity {
    /// The table as JSON.
    static let json = Array("{}".utf8)
}
#endif
