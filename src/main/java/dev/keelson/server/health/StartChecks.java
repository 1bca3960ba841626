package dev.keelson.server.health;

import dev.keelson.http.health.HealthCheck;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Predicate;

/**
 * The checks of what a server does after its start, in kube-apiserver's order and by its names
 * (source: the post-start hooks of kube-apiserver 1.36). Each follows the part of {@code
 * LifecycleModule} that does the work here.
 */
public final class StartChecks {

  /** The feeds that requests are decided by. */
  static final List<String> FEEDS =
      List.of(
          "watch cache",
          "custom resources",
          "admission webhooks",
          "admission policies",
          "known namespaces",
          "namespace limits",
          "api services");

  private static final List<String> ADMISSION = List.of("admission webhooks", "admission policies");
  private static final List<String> API_SERVICES = List.of("api services");
  private static final List<String> REMOTE = List.of("remote api services");
  private static final List<String> FLOW = List.of("flow defaults");
  private static final List<String> LEASE = List.of("identity lease");
  private static final List<String> CUSTOM = List.of("custom resources");
  private static final List<String> ENDPOINTS = List.of("server endpoints");
  private static final List<String> REPAIR = List.of("service network");
  private static final List<String> CACHE = List.of("watch cache");
  private static final List<String> ENCRYPTION = List.of("encryption");
  private static final String HOOK = "poststarthook/";

  private StartChecks() {}

  /** The checks, in order. */
  public static List<HealthCheck> of(Predicate<String> started) {
    List<HealthCheck> checks = new ArrayList<>();
    Adder hooks = (name, parts) -> checks.add(new StartCheck(HOOK + name, parts, started));
    hooks.add("start-apiserver-admission-initializer", ADMISSION);
    hooks.add("generic-apiserver-start-informers", List.of("known namespaces", "namespace limits"));
    hooks.add("priority-and-fairness-config-consumer", FLOW);
    hooks.add("priority-and-fairness-filter", FLOW);
    hooks.add("storage-object-count-tracker-hook", CACHE);
    hooks.add("start-apiextensions-informers", CUSTOM);
    hooks.add("start-apiextensions-controllers", List.of("definitions", "custom resources"));
    hooks.add("crd-informer-synced", CUSTOM);
    hooks.add("start-system-namespaces-controller", ENDPOINTS);
    hooks.add("peer-endpoint-reconciler-controller", ENDPOINTS);
    hooks.add("start-cluster-authentication-info-controller", List.of("identities"));
    hooks.add("start-kube-apiserver-identity-lease-controller", LEASE);
    hooks.add("start-kube-apiserver-identity-lease-garbage-collector", LEASE);
    hooks.add("storage-readiness", CACHE);
    hooks.add("start-legacy-token-tracking-controller", List.of("identities"));
    hooks.add("start-service-ip-repair-controllers", REPAIR);
    hooks.add("rbac/bootstrap-roles", List.of("authorization"));
    hooks.add("scheduling/bootstrap-system-priority-classes", ENDPOINTS);
    hooks.add("priority-and-fairness-config-producer", FLOW);
    hooks.add("bootstrap-controller", ENDPOINTS);
    hooks.add("start-kubernetes-service-cidr-controller", List.of("default service range"));
    hooks.add("aggregator-reload-proxy-client-cert", List.of("files"));
    hooks.add("start-kube-aggregator-informers", API_SERVICES);
    hooks.add("apiservice-status-local-available-controller", API_SERVICES);
    hooks.add("apiservice-status-remote-available-controller", REMOTE);
    hooks.add("apiservice-registration-controller", API_SERVICES);
    hooks.add("apiservice-wait-for-first-sync", API_SERVICES);
    hooks.add("apiservice-discovery-controller", REMOTE);
    hooks.add("kube-apiserver-autoregistration", API_SERVICES);
    checks.add(new StartCheck("autoregister-completion", API_SERVICES, started));
    hooks.add("apiservice-openapi-controller", REMOTE);
    hooks.add("apiservice-openapiv3-controller", REMOTE);
    return checks;
  }

  /** The check {@code informer-sync}: whether the feeds have read their objects. */
  public static HealthCheck feeds(Predicate<String> started) {
    return new StartCheck("informer-sync", FEEDS, started);
  }

  /** The check of a server that follows its EncryptionConfiguration. */
  public static HealthCheck encryptionReload(Predicate<String> started) {
    return new StartCheck(
        HOOK + "start-encryption-provider-config-automatic-reload", ENCRYPTION, started);
  }

  @FunctionalInterface
  private interface Adder {
    void add(String name, List<String> parts);
  }
}
