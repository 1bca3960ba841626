/**
 * A kubelet for tests: it speaks the protocols of a real one over TLS, asks for a client
 * certificate, and runs commands on this host. Begin with {@link
 * dev.keelson.testing.kubelet.KubeletStandIn}.
 */
@NullMarked
package dev.keelson.testing.kubelet;

import org.jspecify.annotations.NullMarked;
