import Testing

@testable import ServiceSupport

struct ServiceThreadsTests {
    @Test(
        arguments: [
            ("Name:\ttokend\nCpus_allowed:\t3\nCpus_allowed_list:\t0-1\n", 2), ("Cpus_allowed:\tff,ffffffff\n", 40),
            ("Cpus_allowed:\t0\n", nil), ("Cpus_allowed_list:\t0-1\n", nil), ("", nil), ("Cpus_allowed:", nil),
        ]
    )
    func `The processors are counted in the line of the mask`(status: String, count: Int?) {
        #expect(ServiceThreads.affinity(in: Array(status.utf8)) == count)
    }
}
