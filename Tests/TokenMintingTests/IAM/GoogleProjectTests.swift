import Testing
import TokenMinting

struct GoogleProjectTests {
    @Test(arguments: ["my-project", "p1", "example.com:my-project"])
    func `A project's ID is accepted`(text: String) {
        #expect(GoogleProject.isID(text))
    }

    @Test(
        arguments: [
            "", "123456789012", "My-project", "my project", "a/b", "https://console.firebase.google.com/project/a",
            "ä", "e\u{301}", "a\n", String(repeating: "a", count: 65),
        ]
    )
    func `A number, a name, a URL and every other text is refused`(text: String) {
        #expect(!GoogleProject.isID(text))
    }
}
