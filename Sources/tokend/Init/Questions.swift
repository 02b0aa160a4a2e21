import FleetToken
import TokenService

/// Questions to a person, each with a default; without a terminal, the options must answer them.
struct Questions {
    private let isTerminal: Bool

    init(isTerminal: Bool, missing: [String]) throws(CommandError) {
        guard isTerminal || missing.isEmpty else {
            throw CommandError(
                .usage,
                "Without a terminal, these options are required: \(missing.joined(separator: ", "))."
            )
        }
        self.isTerminal = isTerminal
    }

    /// Prompts for a text.
    func text(_ question: String, default preset: String?) throws(CommandError) -> String {
        guard isTerminal else { return preset ?? "" }
        guard let answer = Console.answer(to: question + (preset.map { " [\($0)]" } ?? "")) else {
            throw CommandError(.failure, "Interrupted. Nothing was written.")
        }
        return answer.isEmpty ? preset ?? "" : answer
    }

    /// Prompts for one of a few values until one is chosen.
    func choice<Value: CaseIterable & RawRepresentable<String>>(
        _ question: String,
        default preset: Value
    ) throws(CommandError) -> Value {
        let names = Value.allCases.map(\.rawValue).joined(separator: ", ")
        while true {
            let answer = try text("\(question) (\(names))", default: preset.rawValue)
            if let value = Value(rawValue: answer) { return value }
            Console.note("“\(answer)” is not one of them.")
        }
    }

    /// Prompts for kinds, with commas between them.
    func kinds(default preset: [TokenKind]) throws(CommandError) -> [TokenKind] {
        while true {
            let names = preset.map(\.rawValue).joined(separator: ",")
            let answer = try text("Kinds of tokens (\(TokenKind.names))", default: names)
            let kinds = answer.split(whereSeparator: { ", ".contains($0) }).map { TokenKind(name: $0) }
            if !kinds.isEmpty, kinds.allSatisfy({ $0 != nil }) { return kinds.compactMap(\.self) }
            Console.note("“\(answer)” has an unknown kind.")
        }
    }
}
