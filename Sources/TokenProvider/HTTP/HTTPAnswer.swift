/// An answer of the token server: what of its head is needed, and its bounded body.
struct HTTPAnswer: Sendable {
    /// The status code.
    var status: Int
    /// `Date`: what the server's clock showed.
    var date: String?
    /// `Age`: how many seconds a cache on the way has kept the answer.
    var age: String?
    /// `Retry-After`.
    var retryAfter: String?
    /// The body.
    var body: [UInt8] = []
}
