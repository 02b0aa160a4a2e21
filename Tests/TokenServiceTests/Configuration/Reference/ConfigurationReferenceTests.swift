import FleetToken
import Testing

@testable import TokenService

struct ConfigurationReferenceTests {
    private let rows: [ConfigurationReference.Row]
    private let settings: [ConfigurationProbe.Setting]

    init() throws {
        rows = try ConfigurationReference().rows
        settings = ConfigurationProbe.settings()
    }

    @Test
    func `It has each setting once`() {
        let paths = rows.map(\.path)
        #expect(Set(paths).count == paths.count)
        let described = Set(paths)
        for setting in settings where !setting.isSection && !described.contains(setting.path) {
            #expect(isDescribedElsewhere(setting), "\(setting.path) is not in docs/configuration.md.")
        }
    }

    /// Whether it is a part of a setting that has the parts of another, and there it is the same.
    private func isDescribedElsewhere(_ setting: ConfigurationProbe.Setting) -> Bool {
        rows.contains { row in
            guard let model = row.model, setting.path.hasPrefix(row.path + ".") else { return false }
            let path = model + setting.path.dropFirst(row.path.count)
            return settings.contains { $0.path == path && $0.type == setting.type }
        }
    }

    @Test
    func `It has no setting that the parser refuses`() {
        let known = Set(settings.map(\.path))
        for row in rows { #expect(known.contains(row.path), "The parser does not know \(row.path).") }
        // A table in another form would be read as none.
        #expect(rows.count > 30)
    }

    @Test
    func `It has the types and bounds`() {
        for row in rows {
            switch settings.first(where: { $0.path == row.path })?.type {
            case .integer("1"): #expect(row.type == "integer, 1")
            case .integer(let bounds): #expect(row.type == "integer, \(bounds)", "\(row.path)")
            case .duration(let bounds): #expect(row.type == "duration, \(bounds)", "\(row.path)")
            case .boolean: #expect(row.type == "Boolean", "\(row.path)")
            case .list: #expect(row.type.hasPrefix("list of "), "\(row.path)")
            case .choices(let choices): #expect(row.codes == choices, "\(row.path)")
            case nil:
                #expect(!["integer", "duration", "Boolean", "list"].contains { row.type.hasPrefix($0) }, "\(row.path)")
            }
        }
    }

    @Test
    func `Its examples are accepted, and its defaults are those of the parser`() {
        let draft = ConfigurationDraft()
        for row in rows {
            let others = rows.filter { $0.isAlternative && $0.parent == row.parent }.map(\.path)
            let isRight = draft.places(of: row.path).contains { place in
                let draft = row.isAlternative ? draft.without(others, at: place) : draft
                let example = ConfigurationProbe.parse(draft.with(row.example, at: place))
                let without = ConfigurationProbe.parse(draft.with(nil, at: place))
                guard example.problems.isEmpty, without.problems.isEmpty != row.isRequired else { return false }
                guard let standard = ConfigurationReference.code(row.standard) else {
                    return row.isRequired || row.standard == "none"
                }
                let same = ConfigurationProbe.parse(draft.with(standard, at: place))
                return same.problems.isEmpty && isSame(same.configuration, without.configuration)
                    && !isSame(example.configuration, without.configuration)
            }
            #expect(isRight, "\(row.path): its example is refused, or its default is another.")
        }
    }

    /// Whether two configurations have the same values: they have no equality of their own.
    private func isSame(_ one: ProductionConfiguration?, _ other: ProductionConfiguration?) -> Bool {
        var texts = ("", "")
        dump(one?.comparable, to: &texts.0)
        dump(other?.comparable, to: &texts.1)
        return texts.0 == texts.1
    }
}

extension ProductionConfiguration {
    /// Everything in it in an order that does not depend on hashing.
    fileprivate var comparable: [Any] {
        var rest = self
        rest.kinds = [:]
        rest.declared = DeclaredNames()
        let kinds = kinds.sorted { $0.key.rawValue < $1.key.rawValue }
        return [kinds.map(\.value), rest]
    }
}
