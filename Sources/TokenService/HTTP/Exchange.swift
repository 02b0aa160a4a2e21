import FleetToken
import HTTPTypes
import Hummingbird
import Logging
import NIOCore

/// One request and its answer, seen from outside: what all answers have in common, and the line in the access log.
struct Exchange {
    let id: RequestID
    /// The route's name, once it is known; never a path, which would have an ID in it.
    var route = "none"

    private let method: HTTPRequest.Method
    private let start = ContinuousClock.now
    private let logger: Logger

    init(_ request: HTTPRequest, logger: Logger) {
        id = RequestID(request.headerFields)
        method = request.method
        self.logger = logger
    }

    /// The answer for whatever was thrown on the way.
    func refuse(_ error: any Error) -> Response {
        switch error {
        case let refusal as Refusal: return Response(refusal, requestID: id)
        case let error as TokenError: return Response(Refusal(error), requestID: id)
        default:
            // The caller learns nothing of a fault of ours. The log learns its text only from types of ours, whose
            // texts hold no secret; of others, the type.
            logger.error(
                "A request failed.",
                metadata: ["http.request.id": "\(id)", "error": "\(OperatorMessage(error))"]
            )
            let error = TokenError(.internal, "Something went wrong here. Try again; if it stays, ask the operator.")
            return Response(Refusal(error), requestID: id)
        }
    }

    /// Adds what every answer carries, and writes the access log.
    func finish(_ response: Response) -> Response {
        var response = response
        response.headers.append(contentsOf: HTTPFields.everyAnswer)
        response.headers[.requestID] = id.description
        if method == .head {
            response = response.createHeadResponse()
        }
        logger.info(
            "request",
            metadata: [
                "http.request.id": "\(id)",
                "http.request.method": "\(Self.name(of: method))",
                "http.route": "\(route)",
                "http.response.status_code": "\(response.status.code)",
                "http.server.request.duration": "\(Self.seconds(start.duration(to: .now)))",
            ]
        )
        return response
    }

    private static func seconds(_ duration: Duration) -> Double {
        Double(duration.components.seconds) + Double(duration.components.attoseconds) * 1e-18
    }

    /// A method's name for logs and metrics; whatever a client makes up is one name.
    private static func name(of method: HTTPRequest.Method) -> String {
        switch method {
        case .get, .head, .post, .put, .delete, .options, .patch, .trace, .connect: method.rawValue
        default: "_OTHER"
        }
    }
}
