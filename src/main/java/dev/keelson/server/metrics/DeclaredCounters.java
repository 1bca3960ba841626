package dev.keelson.server.metrics;

import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.MeterRegistry;
import java.util.Map;

/**
 * Counters of rare events, which are there from the start with the value zero, so that alerts see
 * their first increase.
 */
public final class DeclaredCounters {

  private static final Map<String, String> HELP =
      Map.of(
          "apiserver_tls_handshake_errors_total",
          "Connections that ended before client and server had agreed on TLS.",
          "apiserver_audit_event_total",
          "Audit events generated and sent to the audit back ends.",
          "apiserver_audit_requests_rejected_total",
          "Requests rejected for a failure of an audit back end.",
          "apiserver_webhooks_x509_missing_san_total",
          "Calls of webhooks whose certificate has no subject alternative name.",
          "apiserver_webhooks_x509_insecure_sha1_total",
          "Calls of webhooks whose certificate is signed with SHA-1.",
          "apiserver_kube_aggregator_x509_missing_san_total",
          "Connections to API servers whose certificate has no subject alternative name.",
          "apiserver_kube_aggregator_x509_insecure_sha1_total",
          "Connections to API servers whose certificate is signed with SHA-1.");

  private DeclaredCounters() {}

  /** Registers them; those that are registered already stay. */
  public static void register(MeterRegistry registry) {
    HELP.forEach((name, help) -> Counter.builder(name).description(help).register(registry));
  }
}
