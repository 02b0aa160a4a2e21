import Foundation

/// The cases of `Tests/PollCases`, which the tests of the journey page read too.
struct PollCases: Decodable, Sendable {
    /// A response, and the error that it is.
    struct Response: Decodable, Sendable {
        let status: Int
        /// The status in the body's error; nil for a body without one.
        let name: String?
        let code: String
        let recovers: Bool
    }

    /// The statuses of consecutive responses, and the pauses after them.
    struct Pauses: Decodable, Sendable {
        let what: String
        let statuses: [Int]
        let retryAfter: Int?
        let random: Double?
        let pauses: [Double]
    }

    let responses: [Response]
    let pauses: [Pauses]

    static let shared: PollCases = {
        let file = URL(filePath: #filePath).appending(path: "../../../PollCases/cases.json").standardized
        do {
            return try JSONDecoder().decode(PollCases.self, from: Data(contentsOf: file))
        } catch {
            preconditionFailure("Tests/PollCases/cases.json: \(error)")
        }
    }()
}
