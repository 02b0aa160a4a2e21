import TokenProvider

/// What a view shows of a trip.
@MainActor
final class TripModel {
    private(set) var status = "Waiting"
    private let tokens: any TokenProviding

    init(tokens: any TokenProviding) {
        self.tokens = tokens
    }

    func follow(_ id: String) async {
        do {
            let token = try await tokens.token(for: .consumer(trip: ResourceID(id)))
            status = "Following \(token.scope.ids.first?.rawValue ?? "")"
        } catch let error as TokenProviderError {
            status = error.needsAction ? "Sign in again" : "Offline"
        } catch {
            status = "Unknown trip"
        }
    }
}
