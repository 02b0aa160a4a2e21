import FleetToken
import Testing

/// The `authorization` claim of payloads that others made.
struct AuthorizationReadingTests {
    @Test(
        arguments: [
            (#"{"tripid":"a"}"#, false),
            (#"{"vehicleid":"a","tripid":"b"}"#, false),
            (#"{"taskid":"a","deliveryvehicleid":"b"}"#, false),
            (#"{"trackingid":"a"}"#, false),
            (#"{"taskids":["a"]}"#, false),
            (#"{"taskids":["a","b"]}"#, false),
            ("{\"tripid\":\"caf\u{E9}\"}", false),
            (#"{"taskids":["*"]}"#, true),
            (#"{"tripid":"*"}"#, true),
            (#"{"trip\u0069d":"\u002a"}"#, true),
            (#"{"trackingid":"*"}"#, true),
            (#"{"vehicleid":"a","tripid":"*"}"#, true),
            (#"{"trackingid":"*","taskid":"*"}"#, true),
            (#"{"deliveryvehicleid":"*","taskid":"*","trackingid":"*"}"#, true),
            (#"{"tripid":"*","vehicleid":"*","deliveryvehicleid":"*","taskid":"*","trackingid":"*"}"#, true),
        ]
    )
    func `Claims that Fleet Engine accepts are read, and written with the same meaning`(json: String, hasWildcard: Bool)
        throws
    {
        let reading = Payload(("authorization", json)).reading
        #expect(reading.problems == [])
        #expect(reading.hasWildcard == hasWildcard)
        // What was read is written again with the same meaning.
        let claims = try #require(reading.claims)
        #expect(ClaimsReading(payload: claims.encoded()).claims == claims)
    }

    @Test
    func `The wildcard of a batch is written as an array`() throws {
        let payload = Payload(("authorization", #"{"taskids":["*"]}"#))
        let claims = try #require(payload.reading.claims)
        #expect(String(decoding: claims.encoded(), as: UTF8.self) == payload.text)
    }

    @Test(
        arguments: [
            nil, "null", "{}", "[]", "\"*\"", "[{\"tripid\":\"a\"}]", "true",
            #"{"tripid":5}"#, #"{"tripid":null}"#, #"{"tripid":true}"#, #"{"tripid":["a"]}"#, #"{"tripid":{"a":"b"}}"#,
            #"{"taskid":["*"]}"#, #"{"taskids":"a"}"#, #"{"taskids":"*"}"#, #"{"taskids":[]}"#, #"{"taskids":{}}"#,
            #"{"taskids":["a",5]}"#, #"{"taskids":[["a"]]}"#, #"{"taskids":[null]}"#,
            #"{"tripId":"a"}"#, #"{"TRIPID":"a"}"#, #"{"":"a"}"#, #"{"tripid ":"a"}"#, #"{"tripid\u0000":"a"}"#,
            #"{"*":"*"}"#,
            #"{"tripid":"a","other":"b"}"#,
            #"{"trackingid":"a","taskid":"b"}"#, #"{"taskid":"b","trackingid":"a"}"#,
            #"{"trackingid":"*","taskid":"b"}"#,
            #"{"trackingid":"a","taskid":"*"}"#, #"{"trackingid":"a","tripid":"*"}"#,
            #"{"taskids":["a"],"taskid":"a"}"#,
            #"{"taskids":["*"],"taskid":"*"}"#, #"{"deliveryvehicleid":"*","taskids":["*"]}"#,
            #"{"taskids":["a"],"trackingid":"*"}"#,
        ]
    )
    func `Claims that Fleet Engine refuses are a problem`(json: String?) {
        let reading = Payload(("authorization", json)).reading
        #expect(Set(reading.problems.map(\.code)) == [.authorization])
        #expect(reading.claims == nil)
    }

    @Test(
        arguments: [
            #"{"tripid":""}"#, #"{"tripid":"a/b"}"#, #"{"tripid":" *"}"#, #"{"tripid":"**"}"#, #"{"tripid":"*\ufe0f"}"#,
            #"{"tripid":"\uff0a"}"#, #"{"tripid":"cafe\u0301"}"#, #"{"tripid":"a\nb"}"#, #"{"tripid":".."}"#,
            #"{"taskids":["*","a"]}"#, #"{"taskids":["a","*"]}"#, #"{"taskids":["*","*"]}"#, #"{"taskids":["a",""]}"#,
            #"{"deliveryvehicleid":"a","taskid":"b,c"}"#,
        ]
    )
    func `An invalid ID is a problem`(json: String) {
        let reading = Payload(("authorization", json)).reading
        #expect(Set(reading.problems.map(\.code)) == [.invalidID])
        #expect(reading.claims == nil)
    }

    /// A list with a fault in it isn't shown as the shorter or empty list of what is right.
    @Test(
        arguments: [#"{"taskids":["a","*"]}"#, #"{"taskids":[5]}"#, #"{"taskids":["a",5]}"#, #"{"taskids":[""]}"#]
    )
    func `A list with an invalid element is dropped, not shortened`(json: String) {
        #expect(Payload(("authorization", json)).reading.authorization == [])
    }

    @Test
    func `Valid claims beside invalid ones are kept`() throws {
        let reading = Payload(("authorization", #"{"tripid":"*","other":1,"vehicleid":"a*b","taskid":"t"}"#)).reading
        #expect(reading.authorization.map(\.name) == [.trip, .task])
        #expect(reading.authorization.map(\.value) == [.every, .id(try ResourceID("t"))])
        #expect(reading.hasWildcard)
    }
}
