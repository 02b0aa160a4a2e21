import Testing

@testable import ServiceSupport

@Suite("The number of threads")
struct ServiceThreadsTests {
    @Test(
        "The processors are counted in the line of the mask",
        arguments: [
            ("Name:\ttokend\nCpus_allowed:\t3\nCpus_allowed_list:\t0-1\n", 2), ("Cpus_allowed:\tff,ffffffff\n", 40),
            ("Cpus_allowed:\t0\n", nil), ("Cpus_allowed_list:\t0-1\n", nil), ("", nil), ("Cpus_allowed:", nil),
        ]
    )
    func processorsAreCountedInTheMask(status: String, count: Int?) {
        #expect(ServiceThreads.affinity(in: Array(status.utf8)) == count)
    }
}
