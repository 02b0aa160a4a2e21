import FleetToken
import TestTools
import Testing

struct TokenKindTests {
    @Test
    func `The two tables have the same kinds in the same order`() {
        #expect(TokenKind.allCases.map(\.rawValue) == KindCase.names)
        #expect(TokenKind.names == KindCase.names.joined(separator: ", "))
    }

    @Test(arguments: KindCase.all)
    func `Role, privilege, field and claims of a kind are those that Google documents`(_ row: KindCase) throws {
        let kind = try #require(TokenKind(rawValue: row.kind))
        #expect(kind.role == row.role)
        #expect(kind.isPrivileged == row.privileged)
        #expect(kind.idField == row.idField)
        let scope = try row.scope()
        #expect(scope.kind == kind)
        #expect(scope.ids.map(\.rawValue) == [row.id].compactMap { $0 } + row.tasks)
        let claims = scope.claims.map { ($0.name.rawValue, KindCase.Value($0.value)) }
        #expect(Dictionary(uniqueKeysWithValues: claims) == row.claims)
        // `*` comes from a kind alone, and only where the table says so.
        #expect(scope.claims.contains { $0.value == .every } == (row.privileged && row.tasks.isEmpty))
    }

    @Test(arguments: KindCase.all)
    func `A kind is recognized by the claims of its tokens`(_ row: KindCase) throws {
        let claims = try row.scope().claims
        let kinds = TokenKind.allCases.filter { $0.canHave(claims.reversed()) }
        let expected = KindCase.all.filter { $0.claims.keys == row.claims.keys && $0.privileged == row.privileged }
        #expect(kinds.map(\.rawValue) == expected.map(\.kind))
    }

    @Test(arguments: KindCase.names)
    func `A kind's name is read in any case`(name: String) {
        let kind = TokenKind(rawValue: name)
        #expect(kind != nil)
        #expect(TokenKind(name: name.uppercased()) == kind)
        #expect(TokenKind(name: name.prefix(1).uppercased() + name.dropFirst()) == kind)
        #expect(TokenKind(name: "/\(name)/".dropFirst().dropLast()) == kind)
    }

    @Test(
        arguments: [
            "", " ", "driver ", " driver", "driver\n", "driver\u{0}", "driver/", "delivery-driver", "deliverydriver",
            "drivers", "DRİVER", "dr\u{131}ver", "\u{17F}erver", "drive\u{301}r", "driver\u{301}", "ｄｒｉｖｅｒ",
            "delivery\u{FF3F}driver", "*", "server,driver", "delivery_batch", "FLEET_READEŘ", "fleet\u{1F}reader",
            "fleet\u{7F}reader",
        ]
    )
    func `Any other name is no kind`(name: String) {
        #expect(TokenKind(name: name) == nil)
    }
}

extension KindCase.Value {
    init(_ value: ScopeClaim.Value) {
        switch value {
        case .every: self = .text("*")
        case .id(let id): self = .text(id.rawValue)
        case .ids(let ids): self = .list(ids.map(\.rawValue))
        }
    }
}
