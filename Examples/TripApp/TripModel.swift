import TokenProvider

/// What a view shows of a trip.
@MainActor
final class TripModel {
    private(set) var status = "Waiting"
    private let tokens: FleetTokenProvider

    init(tokens: FleetTokenProvider) {
        self.tokens = tokens
    }

    func follow(_ id: String) async {
        do {
            _ = try await tokens.token(for: .trip(id))
            status = "Following \(id)"
        } catch let error as TokenProviderError {
            switch error.remedy {
            case .wait: status = "Reconnecting"
            case .signIn: status = "Sign in again"
            case .developer: status = "Trip not available"
            }
        } catch {
            // The task was cancelled: nobody waits for the trip.
        }
    }
}
