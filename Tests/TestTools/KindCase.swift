public import FleetToken
import Foundation
public import Testing

/// A request for a token and the claims that it must lead to: a row of `Tests/TokenCases/kinds.json`, which tests in other
/// languages read as well.
public struct KindCase: Decodable, Equatable, Sendable, CustomTestStringConvertible {
    /// A claim in `authorization`, or a field of a request.
    public enum Value: Equatable, Codable, Sendable {
        case text(String)
        case list([String])

        /// Decodes either.
        public init(from decoder: any Decoder) throws {
            let container = try decoder.singleValueContainer()
            if let text = try? container.decode(String.self) {
                self = .text(text)
            } else {
                self = .list(try container.decode([String].self))
            }
        }

        /// Encodes the text or the list.
        public func encode(to encoder: any Encoder) throws {
            var container = encoder.singleValueContainer()
            switch self {
            case .text(let text): try container.encode(text)
            case .list(let list): try container.encode(list)
            }
        }
    }

    /// The kind's name.
    public let kind: String
    /// The IAM role of the account that signs the token.
    public let role: String
    /// Whether the kind grants access to everything.
    public let privileged: Bool
    /// The fields of `POST /token` beside the kind.
    public let request: [String: Value]
    /// The path of a GET request for the same token; nil if there is none.
    public let path: String?
    /// The claims in `authorization`.
    public let claims: [String: Value]

    /// The tasks that are requested with a resource, or as a batch.
    public var tasks: [String] {
        switch (request["taskId"], request["taskIds"]) {
        case (.text(let task)?, _) where request.count > 1: [task]
        case (_, .list(let tasks)?): tasks
        default: []
        }
    }

    /// The field with the ID of the resource.
    public var idField: String? { request.keys.first { $0 != "taskIds" && ($0 != "taskId" || request.count == 1) } }

    /// The ID of the resource.
    public var id: String? {
        if case .text(let id)? = idField.flatMap({ request[$0] }) { id } else { nil }
    }

    /// The request.
    public var testDescription: String { path ?? "POST \(request)" }

    /// The scope of the request.
    public func scope() throws -> TokenScope {
        try TokenScope(kind: try #require(TokenKind(rawValue: kind)), id: id, taskIDs: tasks)
    }

    private struct Table: Decodable {
        let cases: [KindCase]
    }

    /// All rows.
    public static let all: [KindCase] = {
        let tests = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        do {
            let data = try Data(contentsOf: tests.appendingPathComponent("TokenCases/kinds.json"))
            return try JSONDecoder().decode(Table.self, from: data).cases
        } catch {
            // Without the table no test can run: the process ends with the reason.
            preconditionFailure("Tests/TokenCases/kinds.json: \(error)")
        }
    }()

    /// The names of the kinds.
    public static let names = all.map(\.kind).reduce(into: [String]()) { if !$0.contains($1) { $0.append($1) } }
    /// The names of the privileged kinds.
    public static let privilegedNames = names.filter { name in all.contains { $0.kind == name && $0.privileged } }
}
