import FleetToken
import Testing
import TokenService

struct ClaimsReadingWordsTests {
    private static let scopes: [(String, String, [TokenKind])] = [
        (#"{"tripid":"t"}"#, "the trip t", [TokenKind.consumer]),
        (#"{"vehicleid":"v"}"#, "the vehicle v", [.driver]),
        (#"{"deliveryvehicleid":"v"}"#, "the delivery vehicle v", [.deliveryDriver, .trustedDeliveryDriver]),
        (
            #"{"taskid":"t","deliveryvehicleid":"v"}"#, "the task t and the delivery vehicle v",
            [.trustedDeliveryDriver]
        ),
        (#"{"trackingid":"s"}"#, "the shipment s", [.deliveryConsumer]),
        (#"{"taskid":"t"}"#, "the task t", [.deliveryTask]),
        (#"{"taskids":["a","b"]}"#, "the tasks a, b", [.deliveryServer]),
        (#"{"taskids":["*"]}"#, "every task", [.deliveryServer]),
        (#"{"tripid":"*","vehicleid":"*"}"#, "every trip and every vehicle", [.server]),
        (
            #"{"taskid":"*","trackingid":"*","deliveryvehicleid":"*"}"#,
            "every task and every shipment and every delivery vehicle", [.fleetReader, .deliveryServer]
        ),
        (#"{"tripid":"*"}"#, "every trip", []),
        (#"{"tripid":"t","vehicleid":"*"}"#, "the trip t and every vehicle", []),
        (#"{"tripid":"t","vehicleid":"v"}"#, "the trip t and the vehicle v", []),
        (#"{"tripid":"t","other":"x"}"#, "the trip t", []),
        (#"{"tripid":"a/b"}"#, "nothing known to Fleet Engine", []),
        (#"{"tripid":"t","vehicleid":"a/b"}"#, "the trip t", []),
        (#"{}"#, "nothing known to Fleet Engine", []),
    ]

    @Test(arguments: scopes)
    func `A token’s access is described in words, with the kinds that have these claims`(
        authorization: String,
        words: String,
        kinds: [TokenKind]
    ) {
        let reading = ClaimsReading(payload: SampleToken.claims(authorization).utf8)
        #expect(reading.scopeInWords == words)
        #expect(reading.kinds == kinds)
    }
}
