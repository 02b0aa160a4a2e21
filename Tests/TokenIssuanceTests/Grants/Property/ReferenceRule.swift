import TestTools

/// What may be granted, said a second time: in plain words, over plain values, with nothing of the service's.
struct ReferenceRule {
    enum Claim { case text(String), texts([Claim]), other }
    enum IDs { case claim(String), list([String]), prefix(String), any, webhook(String) }

    struct Grant {
        var name: String
        var callers: [String]
        var role: String?
        var kinds: [String]
        var ids: IDs
        var tasks: IDs?
    }

    struct Request {
        var caller: String
        var isAdmin: Bool
        var isAnonymous: Bool
        var claims: [String: Claim]
        var kind: String
        var ids: [String]
        var tasks: [String]
    }

    var grants: [Grant]
    var webhooks: [String: [String]]

    func allows(_ request: Request) -> Bool { grants.contains { allows($0, request) } }

    func allows(_ grant: Grant, _ request: Request) -> Bool {
        if !grant.callers.contains(request.caller) || !grant.kinds.contains(request.kind) { return false }
        if let role = grant.role, !has(request.claims["role"], role) { return false }
        if KindCase.privilegedNames.contains(request.kind) {
            if !request.isAdmin || request.isAnonymous { return false }
        }
        if request.ids.isEmpty { if case .any = grant.ids { return true } else { return false } }
        let asked = request.ids + request.tasks
        if !request.ids.allSatisfy({ allows(grant.ids, $0, request, asked) }) { return false }
        guard let tasks = grant.tasks else { return request.tasks.isEmpty }
        return request.tasks.allSatisfy { allows(tasks, $0, request, asked) }
    }

    private func allows(_ rule: IDs, _ id: String, _ request: Request, _ asked: [String]) -> Bool {
        switch rule {
        case .any: return true
        case .list(let list): return list.contains(id)
        case .prefix(let prefix): return id.hasPrefix(prefix) && id.count > prefix.count
        case .webhook(let name): return asked.allSatisfy { webhooks[name, default: []].contains($0) }
        case .claim(let name):
            switch request.claims[name] {
            case .text(let text): return text == id
            case .texts(let claims):
                return has(request.claims[name], id)
                    && claims.allSatisfy { if case .text(let text) = $0 { isID(text) } else { false } }
            case .other, nil: return false
            }
        }
    }

    private func has(_ claim: Claim?, _ wanted: String) -> Bool {
        switch claim {
        case .text(let text): text == wanted
        case .texts(let claims): claims.contains { if case .text(let text) = $0 { text == wanted } else { false } }
        case .other, nil: false
        }
    }

    private func isID(_ text: String) -> Bool {
        text.wholeMatch(of: /[^\/:?,#* ]([^\/:?,#*]{0,62}[^\/:?,#* ])?/) != nil && text != "." && text != ".."
    }
}
