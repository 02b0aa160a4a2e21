import EngineCoding
import Testing

struct PolylineTests {
    @Test
    func `The documented example is encoded and decoded`() throws {
        let points: [Polyline.Point] = [(38.5, -120.2), (40.7, -120.95), (43.252, -126.453)]
        #expect(Polyline.encode(points) == "_p~iF~ps|U_ulLnnqC_mqNvxq`@")
        let decoded = try #require(Polyline.decode("_p~iF~ps|U_ulLnnqC_mqNvxq`@"))
        #expect(decoded.elementsEqual(points, by: ==))
    }

    @Test(arguments: ["!", "_", "_p~iF", "~~~~~~~~", "é"])
    func `A text that is no polyline is refused`(text: String) {
        #expect(Polyline.decode(text) == nil)
    }
}
