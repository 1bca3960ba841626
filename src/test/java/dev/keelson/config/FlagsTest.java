package dev.keelson.config;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.keelson.admission.plugin.PluginName;
import dev.keelson.api.ApiEnablement;
import dev.keelson.api.Feature;
import dev.keelson.api.FeatureGates;
import dev.keelson.api.GroupResource;
import dev.keelson.api.GroupVersion;
import dev.keelson.audit.AuditMode;
import dev.keelson.audit.delivery.BatchOptions;
import dev.keelson.audit.delivery.TruncateOptions;
import dev.keelson.audit.log.LogFormat;
import dev.keelson.authn.oidc.LoginOptions;
import dev.keelson.authn.oidc.OidcOptions;
import dev.keelson.authn.proxy.RequestHeaderOptions;
import dev.keelson.authn.serviceaccount.ServiceAccountOptions;
import dev.keelson.authn.webhook.WebhookOptions;
import dev.keelson.authz.AuthorizationOptions;
import dev.keelson.authz.AuthorizationOptions.Mode;
import dev.keelson.config.flag.FlagException;
import dev.keelson.config.option.AuditOptions;
import dev.keelson.config.option.ControllerOptions;
import dev.keelson.config.option.DelegatedAuthentication;
import dev.keelson.config.option.EncryptionOptions;
import dev.keelson.config.option.KeyPairFiles;
import dev.keelson.config.option.NodeIpamOptions;
import dev.keelson.config.option.ObservationOptions;
import dev.keelson.config.option.ServerOptions;
import dev.keelson.config.option.SigningOptions;
import dev.keelson.config.option.StorageOptions.Cluster;
import dev.keelson.config.option.StorageOptions.Etcd;
import dev.keelson.config.option.StorageOptions.MediaType;
import dev.keelson.config.option.StorageOptions.ResourceOverride;
import dev.keelson.config.option.StorageOptions.Sqlite;
import dev.keelson.config.option.StorageOptions.Synchronous;
import dev.keelson.config.option.TlsOptions;
import dev.keelson.config.option.TlsOptions.Implementation;
import dev.keelson.value.Cidr;
import java.io.IOException;
import java.net.InetAddress;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.Function;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

class FlagsTest {

  @TempDir static Path directory;

  /** Files that exist, for flags that want one. */
  private static Path file = Path.of("");

  private static Path other = Path.of("");

  @BeforeAll
  static void files() throws IOException {
    file = Files.createFile(directory.resolve("one.pem"));
    other = Files.createFile(directory.resolve("two.pem"));
  }

  /**
   * What a flag does.
   *
   * @param read takes its value out of the options
   * @param byDefault the value without the flag
   * @param text what is given for it
   * @param mapped the value that gives
   * @param along other flags that it needs
   */
  private record Case(
      Function<ServerOptions, @Nullable Object> read,
      @Nullable Object byDefault,
      String text,
      Object mapped,
      List<String> along) {

    Case(
        Function<ServerOptions, @Nullable Object> read,
        @Nullable Object byDefault,
        String text,
        Object mapped) {
      this(read, byDefault, text, mapped, List.of());
    }
  }

  /** The options; the defaults if there are none. */
  private static AuditOptions audit(ServerOptions options) {
    AuditOptions audit = options.audit();
    return audit == null ? audit(options(List.of("--audit-log-path="), Map.of())) : audit;
  }

  private static @Nullable Object encryption(
      ServerOptions options, Function<EncryptionOptions, Object> part) {
    EncryptionOptions encryption = options.encryption();
    return encryption == null ? null : part.apply(encryption);
  }

  private static void auditCases(Map<String, Case> cases) {
    cases.put("admission-control-config-file", fileCase(o -> o.admission().configurationFile()));
    // true needs its feature gate: AuditFlagsTest
    cases.put(
        "audit-dynamic-configuration", new Case(o -> audit(o).dynamic(), false, "false", false));
    cases.put("audit-policy-file", fileCase(o -> audit(o).policyFile()));
    cases.put("audit-log-path", new Case(o -> audit(o).log().path(), null, "-", "-"));
    cases.put(
        "audit-log-format",
        new Case(o -> audit(o).log().format(), LogFormat.JSON, "legacy", LogFormat.LEGACY));
    cases.put("audit-log-maxage", new Case(o -> audit(o).log().maxAge(), 0, "3", 3));
    cases.put("audit-log-maxbackup", new Case(o -> audit(o).log().maxBackup(), 0, "4", 4));
    cases.put("audit-log-maxsize", new Case(o -> audit(o).log().maxSize(), 0, "5", 5));
    cases.put("audit-log-compress", new Case(o -> audit(o).log().compress(), false, "true", true));
    cases.put("audit-webhook-config-file", fileCase(o -> audit(o).webhook().configFile()));
    cases.put(
        "audit-webhook-initial-backoff",
        new Case(
            o -> audit(o).webhook().initialBackoff(),
            Duration.ofSeconds(10),
            "3s",
            Duration.ofSeconds(3)));
    String version = "audit.k8s.io/v1";
    cases.put(
        "audit-log-version", new Case(o -> audit(o).log().version(), version, version, version));
    cases.put(
        "audit-webhook-version",
        new Case(o -> audit(o).webhook().version(), version, version, version));
    deliveryCases(cases, "log", o -> audit(o).log().delivery(), AuditMode.BLOCKING);
    cases.put(
        "audit-trail",
        new Case(
            o -> audit(o).trail().url(),
            null,
            "sqlite:trail.db",
            new AuditOptions.TrailUrl.Sqlite(Path.of("trail.db"))));
    cases.put(
        "audit-trail-retention",
        new Case(
            o -> audit(o).trail().retention(), Duration.ofDays(90), "1h", Duration.ofHours(1)));
    cases.put(
        "audit-trail-spool-size",
        new Case(o -> audit(o).trail().spoolBytes(), 268_435_456L, "1048577", 1_048_577L));
    deliveryCases(cases, "trail", o -> audit(o).trail().delivery(), AuditMode.BATCH);
    deliveryCases(cases, "webhook", o -> audit(o).webhook().delivery(), AuditMode.BATCH);
  }

  private static void deliveryCases(
      Map<String, Case> cases,
      String backEnd,
      Function<ServerOptions, AuditOptions.Delivery> delivery,
      AuditMode mode) {
    boolean webhook = backEnd.equals("webhook");
    boolean trail = backEnd.equals("trail");
    String prefix = "audit-" + backEnd + "-";
    cases.put(
        prefix + "mode",
        new Case(
            o -> delivery.apply(o).mode(), mode, "blocking-strict", AuditMode.BLOCKING_STRICT));
    cases.put(
        prefix + "batch-buffer-size",
        new Case(o -> delivery.apply(o).batch().bufferSize(), 10_000, "7", 7));
    cases.put(
        prefix + "batch-max-size",
        new Case(
            o -> delivery.apply(o).batch().maxBatchSize(), webhook || trail ? 400 : 1, "8", 8));
    cases.put(
        prefix + "batch-max-wait",
        new Case(
            o -> delivery.apply(o).batch().maxBatchWait(),
            webhook ? Duration.ofSeconds(30) : Duration.ofMillis(trail ? 100 : 0),
            "9s",
            Duration.ofSeconds(9)));
    List<String> throttled =
        List.of(
            "--" + prefix + "batch-throttle-enable",
            "--" + prefix + "batch-throttle-qps=2",
            "--" + prefix + "batch-throttle-burst=3");
    cases.put(
        prefix + "batch-throttle-enable",
        new Case(
            o -> delivery.apply(o).batch().throttle() != null,
            webhook,
            webhook ? "false" : "true",
            !webhook));
    cases.put(
        prefix + "batch-throttle-qps",
        new Case(
            o -> throttle(delivery.apply(o)).map(BatchOptions.Throttle::perSecond).orElse(null),
            webhook ? 10.0 : null,
            "2.5",
            2.5,
            throttled.subList(0, 1)));
    cases.put(
        prefix + "batch-throttle-burst",
        new Case(
            o -> throttle(delivery.apply(o)).map(BatchOptions.Throttle::burst).orElse(null),
            webhook ? 15 : null,
            "6",
            6,
            throttled.subList(0, 2)));
    cases.put(
        prefix + "truncate-enabled",
        new Case(
            o -> !delivery.apply(o).truncate().equals(TruncateOptions.OFF),
            trail,
            Boolean.toString(!trail),
            !trail));
    List<String> truncated = List.of("--" + prefix + "truncate-enabled");
    cases.put(
        prefix + "truncate-max-batch-size",
        new Case(
            o -> delivery.apply(o).truncate().maxBatchSize(),
            trail ? 10_485_760L : Long.MAX_VALUE,
            "20000000",
            20_000_000L,
            truncated));
    cases.put(
        prefix + "truncate-max-event-size",
        new Case(
            o -> delivery.apply(o).truncate().maxEventSize(),
            trail ? 102_400L : Long.MAX_VALUE,
            "2000",
            2000L,
            truncated));
  }

  private static Optional<BatchOptions.Throttle> throttle(AuditOptions.Delivery delivery) {
    return Optional.ofNullable(delivery.batch().throttle());
  }

  private static void authenticationCases(Map<String, Case> cases) {
    cases.put(
        "enable-aggregator-routing",
        new Case(o -> o.aggregation().endpointRouting(), false, "true", true));
    cases.put("basic-auth-file", fileCase(o -> o.authentication().basicFile()));
    cases.put(
        "enable-bootstrap-token-auth",
        new Case(o -> o.authentication().bootstrapTokens(), false, "true", true));
    cases.put(
        "api-audiences",
        new Case(
            o -> o.authentication().apiAudiences(),
            List.of(ServiceAccountOptions.DEFAULT_ISSUER),
            "a,b",
            List.of("a", "b")));
    tlsCases(cases);
    accountCases(cases);
    oidcCases(cases);
    proxyCases(cases);
    webhookCases(cases);
    delegationCases(cases);
    cases.put(
        "authentication-config",
        new Case(o -> o.authentication().configFile(), null, file.toString(), file));
  }

  private static void delegationCases(Map<String, Case> cases) {
    List<String> along = List.of("--authentication-kubeconfig=" + file);
    cases.put(
        "authentication-kubeconfig",
        new Case(
            o -> o.authentication().delegation(),
            null,
            file.toString(),
            new DelegatedAuthentication(file, false, false, Duration.ofSeconds(10), List.of())));
    cases.put(
        "authentication-skip-lookup",
        new Case(
            o -> delegation(o, DelegatedAuthentication::skipLookup), null, "true", true, along));
    cases.put(
        "authentication-tolerate-lookup-failure",
        new Case(
            o -> delegation(o, DelegatedAuthentication::tolerateFailure),
            null,
            "true",
            true,
            along));
    cases.put(
        "authorization-kubeconfig",
        new Case(
            o -> o.authorization().delegate(),
            null,
            file.toString(),
            new AuthorizationOptions.Webhook(
                file, "v1", Duration.ofSeconds(10), Duration.ofSeconds(10))));
  }

  private static @Nullable Object delegation(
      ServerOptions options, Function<DelegatedAuthentication, Object> read) {
    DelegatedAuthentication delegation = options.authentication().delegation();
    return delegation == null ? null : read.apply(delegation);
  }

  private static void tlsCases(Map<String, Case> cases) {
    cases.put(
        "tls-min-version",
        new Case(
            o -> o.serving().tls().protocols(),
            List.of("TLSv1.3", "TLSv1.2"),
            "VersionTLS13",
            List.of("TLSv1.3")));
    cases.put(
        "tls-cipher-suites",
        new Case(
            o -> o.serving().tls().cipherSuites(),
            List.of(),
            "TLS_ECDHE_ECDSA_WITH_AES_128_GCM_SHA256",
            List.of(
                "TLS_AES_128_GCM_SHA256",
                "TLS_AES_256_GCM_SHA384",
                "TLS_CHACHA20_POLY1305_SHA256",
                "TLS_ECDHE_ECDSA_WITH_AES_128_GCM_SHA256")));
    cases.put(
        "tls-sni-cert-key",
        new Case(
            o -> o.serving().tls().named(),
            List.of(),
            file + "," + other + ":a.example,*.B.example",
            List.of(
                new TlsOptions.Named(
                    new KeyPairFiles(file, other), List.of("a.example", "*.b.example")))));
    cases.put(
        "http2-max-streams-per-connection",
        new Case(o -> o.serving().tls().maxStreams(), 100, "7", 7));
  }

  private static void webCases(Map<String, Case> cases) {
    cases.put("allow-privileged", new Case(ServerOptions::privileged, false, "true", true));
    cases.put(
        "runtime-config",
        new Case(
            ServerOptions::served,
            ApiEnablement.EVERYTHING,
            "api/beta=false,apps/v1=true,v1/pods=false",
            new ApiEnablement(
                Map.of("api/beta", false),
                Map.of(new GroupVersion("apps", "v1"), true),
                Map.of(GroupVersion.CORE_V1.resource("pods"), false))));
    cases.put("console", new Case(o -> o.web().console(), true, "false", false));
    cases.put(
        "cors-allowed-origins",
        new Case(
            o -> o.web().corsOrigins(),
            List.of(),
            "//a.example(:|$),^https://b$",
            List.of("//a.example(:|$)", "^https://b$")));
    cases.put(
        "strict-transport-security-directives",
        new Case(o -> o.web().strictTransport(), "", "max-age=9,preload", "max-age=9; preload"));
    cases.put(
        "external-hostname", new Case(o -> o.web().externalHost(), null, "k.example", "k.example"));
    cases.put("disable-http2-serving", new Case(o -> o.web().http2(), true, "true", false));
    cases.put(
        "tls-curve-preferences",
        new Case(
            o -> o.web().namedGroups(),
            List.of(),
            "4588,29,23,4587",
            List.of("X25519MLKEM768", "x25519", "secp256r1")));
    cases.put(
        "tls-implementation",
        new Case(
            o -> o.serving().tls().implementation(),
            Implementation.AUTO,
            "java",
            Implementation.JAVA));
    cases.put(
        "allow-metric-labels",
        new Case(
            o -> o.web().metricLabels(),
            Map.of(),
            "apiserver_request_total,code=200,201",
            Map.of("apiserver_request_total,code", "200,201")));
    cases.put(
        "allow-metric-labels-manifest",
        new Case(o -> o.web().metricLabelsFile(), null, "labels.yaml", Path.of("labels.yaml")));
    cases.put(
        "disabled-metrics",
        new Case(
            o -> o.web().disabledMetrics(),
            List.of(),
            "apiserver_request_total",
            List.of("apiserver_request_total")));
    cases.put(
        "admission-control",
        new Case(
            o -> o.admission().enabled(),
            PluginName.defaults(),
            "AlwaysAdmit,LimitRanger",
            Set.of(PluginName.ALWAYS_ADMIT, PluginName.LIMIT_RANGER)));
  }

  private static void accountCases(Map<String, Case> cases) {
    cases.put(
        "service-account-issuer",
        new Case(
            o -> o.authentication().serviceAccounts().issuers(),
            List.of(ServiceAccountOptions.DEFAULT_ISSUER),
            "https://a,b",
            List.of("https://a", "b")));
    cases.put(
        "service-account-key-file",
        new Case(
            o -> o.authentication().serviceAccounts().keyFiles(),
            List.of(),
            file + "," + other,
            List.of(file, other)));
    cases.put(
        "service-account-signing-key-file",
        fileCase(o -> o.authentication().serviceAccounts().signingKeyFile()));
    cases.put(
        "service-account-max-token-expiration",
        new Case(
            o -> o.authentication().serviceAccounts().maxExpiration(),
            null,
            "2h",
            Duration.ofHours(2)));
    cases.put(
        "service-account-extend-token-expiration",
        new Case(
            o -> o.authentication().serviceAccounts().extendExpiration(), true, "false", false));
    cases.put(
        "service-account-lookup",
        new Case(o -> o.authentication().serviceAccounts().lookup(), true, "false", false));
    cases.put(
        "service-account-jwks-uri",
        new Case(
            o -> o.authentication().serviceAccounts().jwksUri(), null, "https://k", "https://k"));
  }

  private static @Nullable Object login(ServerOptions options) {
    return options.authentication().login();
  }

  private static void oidcCases(Map<String, Case> cases) {
    List<String> needed = List.of("--oidc-issuer-url=https://i", "--oidc-client-id=c");
    List<String> loginNeeds =
        List.of("--oidc-issuer-url=https://i", "--oidc-client-id=c", "--console-oidc-client-id=c");
    cases.put(
        "oidc-issuer-url",
        new Case(
            o -> o.authentication().oidc() == null ? null : oidc(o).issuerUrl(),
            null,
            "https://i",
            "https://i",
            List.of("--oidc-client-id=c")));
    cases.put(
        "oidc-client-id",
        new Case(
            o -> o.authentication().oidc() == null ? null : oidc(o).clientId(),
            null,
            "c",
            "c",
            List.of("--oidc-issuer-url=https://i")));
    cases.put(
        "console-oidc-client-id",
        new Case(FlagsTest::login, null, "c", new LoginOptions("c", null, List.of()), needed));
    cases.put(
        "console-oidc-client-secret-file",
        new Case(
            FlagsTest::login,
            null,
            file.toString(),
            new LoginOptions("c", file, List.of()),
            loginNeeds));
    cases.put(
        "console-oidc-extra-scopes",
        new Case(
            FlagsTest::login,
            null,
            "email,groups",
            new LoginOptions("c", null, List.of("email", "groups")),
            loginNeeds));
    oidcCase(cases, "oidc-ca-file", OidcOptions::caFile, file.toString(), file, needed);
    oidcCase(cases, "oidc-username-claim", OidcOptions::usernameClaim, "email", "email", needed);
    oidcCase(cases, "oidc-username-prefix", OidcOptions::usernamePrefix, "-", "-", needed);
    oidcCase(cases, "oidc-groups-claim", OidcOptions::groupsClaim, "g", "g", needed);
    oidcCase(cases, "oidc-groups-prefix", OidcOptions::groupsPrefix, "g:", "g:", needed);
    oidcCase(
        cases,
        "oidc-required-claim",
        OidcOptions::requiredClaims,
        "a=1,b=x=y",
        Map.of("a", "1", "b", "x=y"),
        needed);
    oidcCase(
        cases,
        "oidc-signing-algs",
        OidcOptions::signingAlgorithms,
        "ES256,PS512",
        Set.of("ES256", "PS512"),
        needed);
  }

  private static void oidcCase(
      Map<String, Case> cases,
      String flag,
      Function<OidcOptions, @Nullable Object> read,
      String text,
      Object mapped,
      List<String> along) {
    cases.put(
        flag,
        new Case(
            o -> o.authentication().oidc() == null ? null : read.apply(oidc(o)),
            null,
            text,
            mapped,
            along));
  }

  private static OidcOptions oidc(ServerOptions options) {
    return Objects.requireNonNull(options.authentication().oidc());
  }

  private static void proxyCases(Map<String, Case> cases) {
    proxyCase(cases, "requestheader-username-headers", RequestHeaderOptions::usernameHeaders);
    proxyCase(cases, "requestheader-uid-headers", RequestHeaderOptions::uidHeaders);
    proxyCase(cases, "requestheader-group-headers", RequestHeaderOptions::groupHeaders);
    proxyCase(cases, "requestheader-extra-headers-prefix", RequestHeaderOptions::extraPrefixes);
    proxyCase(cases, "requestheader-allowed-names", RequestHeaderOptions::allowedNames);
    cases.put(
        "requestheader-client-ca-file",
        fileCase(
            o -> {
              RequestHeaderOptions proxy = o.authentication().proxy();
              return proxy == null ? null : proxy.clientCaFile();
            }));
  }

  private static void proxyCase(
      Map<String, Case> cases, String flag, Function<RequestHeaderOptions, @Nullable Object> read) {
    cases.put(
        flag,
        new Case(
            o -> {
              RequestHeaderOptions proxy = o.authentication().proxy();
              return proxy == null ? null : read.apply(proxy);
            },
            null,
            "a,b",
            List.of("a", "b"),
            List.of("--requestheader-client-ca-file=" + file)));
  }

  private static void webhookCases(Map<String, Case> cases) {
    List<String> along = List.of("--authentication-token-webhook-config-file=" + file);
    cases.put(
        "authentication-token-webhook-config-file",
        fileCase(
            o -> {
              WebhookOptions webhook = o.authentication().webhook();
              return webhook == null ? null : webhook.configFile();
            }));
    cases.put(
        "authentication-token-webhook-version",
        new Case(
            o -> {
              WebhookOptions webhook = o.authentication().webhook();
              return webhook == null ? null : webhook.version();
            },
            null,
            "v1",
            "v1",
            along));
    cases.put(
        "authentication-token-webhook-cache-ttl",
        new Case(
            o -> {
              WebhookOptions webhook = o.authentication().webhook();
              return webhook == null ? null : webhook.cacheTtl();
            },
            null,
            "5s",
            Duration.ofSeconds(5),
            along));
  }

  private static void kubeletCases(Map<String, Case> cases) {
    cases.put(
        "kubelet-client-certificate",
        new Case(
            o -> kubeletPair(o, KeyPairFiles::certificate),
            null,
            file.toString(),
            file,
            List.of("--kubelet-client-key=" + file)));
    cases.put(
        "kubelet-client-key",
        new Case(
            o -> kubeletPair(o, KeyPairFiles::key),
            null,
            file.toString(),
            file,
            List.of("--kubelet-client-certificate=" + file)));
    cases.put("kubelet-certificate-authority", fileCase(o -> o.kubelets().authority()));
    cases.put(
        "kubelet-preferred-address-types",
        new Case(
            o -> o.kubelets().addressTypes(),
            List.of("Hostname", "InternalDNS", "InternalIP", "ExternalDNS", "ExternalIP"),
            "InternalIP,Hostname",
            List.of("InternalIP", "Hostname")));
    cases.put(
        "kubelet-timeout",
        new Case(
            o -> o.kubelets().timeout(), Duration.ofSeconds(5), "30s", Duration.ofSeconds(30)));
    cases.put("kubelet-port", new Case(o -> o.kubelets().port(), 10_250, "10255", 10_255));
    cases.put(
        "kubelet-allow-local-addresses",
        new Case(o -> o.kubelets().localAddresses(), false, "true", true));
  }

  private static void controllerCases(Map<String, Case> cases) {
    cases.put(
        "controllers", new Case(o -> o.controllers().enabled("job-controller"), true, "-*", false));
    cases.put("leader-elect", new Case(o -> o.controllers().elect(), true, "false", false));
    cases.put(
        "leader-elect-lease-duration",
        new Case(
            o -> o.controllers().duration(), Duration.ofSeconds(15), "1m", Duration.ofMinutes(1)));
    cases.put(
        "leader-elect-renew-deadline",
        new Case(
            o -> o.controllers().renewDeadline(),
            Duration.ofSeconds(10),
            "12s",
            Duration.ofSeconds(12)));
    cases.put(
        "leader-elect-retry-period",
        new Case(
            o -> o.controllers().retryPeriod(),
            Duration.ofSeconds(2),
            "1s",
            Duration.ofSeconds(1)));
    cases.put("scheduler", new Case(o -> o.controllers().scheduler(), false, "true", true));
    cases.put("simulated-nodes", new Case(o -> o.controllers().simulatedNodes(), 0, "3", 3));
    cases.put(
        "simulated-nodes-stages",
        new Case(
            o -> o.controllers().stages(),
            null,
            file.toString(),
            file,
            List.of("--simulated-nodes=1")));
    cases.put(
        "legacy-service-account-token-clean-up-period",
        new Case(
            o -> o.controllers().tokenPeriod(), Duration.ofDays(365), "1h", Duration.ofHours(1)));
    signingCases(cases);
    autoscalerCases(cases);
    ipamCases(cases);
    nodeCases(cases);
  }

  private static void nodeCases(Map<String, Case> cases) {
    Function<ServerOptions, ControllerOptions.Silence> silence = o -> o.controllers().silence();
    cases.put(
        "node-monitor-period",
        new Case(
            o -> silence.apply(o).period(), Duration.ofSeconds(5), "3s", Duration.ofSeconds(3)));
    cases.put(
        "node-monitor-grace-period",
        new Case(
            o -> silence.apply(o).grace(), Duration.ofSeconds(50), "3s", Duration.ofSeconds(3)));
    cases.put(
        "node-startup-grace-period",
        new Case(
            o -> silence.apply(o).startupGrace(),
            Duration.ofMinutes(1),
            "3s",
            Duration.ofSeconds(3)));
    cases.put(
        "node-eviction-rate", new Case(o -> silence.apply(o).evictionRate(), 0.1, "2.5", 2.5));
    cases.put(
        "secondary-node-eviction-rate",
        new Case(o -> silence.apply(o).secondaryRate(), 0.01, "2.5", 2.5));
    cases.put(
        "large-cluster-size-threshold", new Case(o -> silence.apply(o).largeZone(), 50, "3", 3));
    cases.put(
        "unhealthy-zone-threshold",
        new Case(o -> silence.apply(o).unhealthyShare(), 0.55, "0.4", 0.4));
    cases.put(
        "terminated-pod-gc-threshold",
        new Case(o -> o.controllers().mostEndedPods(), 12_500, "-1", -1));
  }

  private static void ipamCases(Map<String, Case> cases) {
    Function<ServerOptions, @Nullable Object> ranges = o -> o.controllers().ipam().ranges();
    List<NodeIpamOptions.Range> ipv4 = List.of(range("10.0.0.0/16", 24));
    List<String> given = List.of("--allocate-node-cidrs", "--cluster-cidr=10.0.0.0/16");
    cases.put(
        "allocate-node-cidrs",
        new Case(ranges, List.of(), "true", ipv4, List.of("--cluster-cidr=10.0.0.0/16")));
    cases.put(
        "cluster-cidr",
        new Case(ranges, List.of(), "10.0.0.0/16", ipv4, List.of("--allocate-node-cidrs")));
    cases.put(
        "node-cidr-mask-size",
        new Case(ranges, List.of(), "26", List.of(range("10.0.0.0/16", 26)), given));
    cases.put(
        "node-cidr-mask-size-ipv4",
        new Case(ranges, List.of(), "26", List.of(range("10.0.0.0/16", 26)), given));
    cases.put(
        "node-cidr-mask-size-ipv6",
        new Case(
            ranges,
            List.of(),
            "72",
            List.of(range("fd00::/64", 72)),
            List.of("--allocate-node-cidrs", "--cluster-cidr=fd00::/64")));
    cases.put("cidr-allocator-type", new Case(ranges, List.of(), "RangeAllocator", ipv4, given));
  }

  private static NodeIpamOptions.Range range(String cidr, int length) {
    return new NodeIpamOptions.Range(Cidr.parse(cidr), length);
  }

  private static void autoscalerCases(Map<String, Case> cases) {
    String prefix = "horizontal-pod-autoscaler-";
    cases.put(
        "concurrent-horizontal-pod-autoscaler-syncs",
        new Case(o -> o.controllers().autoscaler().workers(), 5, "7", 7));
    cases.put(
        prefix + "sync-period",
        new Case(
            o -> o.controllers().autoscaler().period(),
            Duration.ofSeconds(15),
            "3s",
            Duration.ofSeconds(3)));
    cases.put(
        prefix + "downscale-stabilization",
        new Case(
            o -> o.controllers().autoscaler().stabilization(),
            Duration.ofMinutes(5),
            "3s",
            Duration.ofSeconds(3)));
    cases.put(
        prefix + "tolerance",
        new Case(o -> o.controllers().autoscaler().tolerance(), 0.1, "0.2", 0.2));
    cases.put(
        prefix + "cpu-initialization-period",
        new Case(
            o -> o.controllers().autoscaler().cpuInitialization(),
            Duration.ofMinutes(5),
            "3s",
            Duration.ofSeconds(3)));
    cases.put(
        prefix + "initial-readiness-delay",
        new Case(
            o -> o.controllers().autoscaler().initialReadiness(),
            Duration.ofSeconds(30),
            "3s",
            Duration.ofSeconds(3)));
  }

  private static void signingCases(Map<String, Case> cases) {
    cases.put(
        "cluster-signing-duration",
        new Case(
            o -> o.controllers().signing().duration(),
            Duration.ofDays(365),
            "1h",
            Duration.ofHours(1)));
    Map<String, String> signers =
        Map.of(
            "", "",
            "kubelet-serving-", "kubelet-serving",
            "kubelet-client-", "kube-apiserver-client-kubelet",
            "kube-apiserver-client-", "kube-apiserver-client",
            "legacy-unknown-", "legacy-unknown");
    signers.forEach(
        (part, signer) -> {
          String certificate = "cluster-signing-" + part + "cert-file";
          String key = "cluster-signing-" + part + "key-file";
          cases.put(
              certificate,
              new Case(
                  o -> signingPair(o, signer, KeyPairFiles::certificate),
                  null,
                  file.toString(),
                  file,
                  List.of("--" + key + "=" + file)));
          cases.put(
              key,
              new Case(
                  o -> signingPair(o, signer, KeyPairFiles::key),
                  null,
                  file.toString(),
                  file,
                  List.of("--" + certificate + "=" + file)));
        });
  }

  private static @Nullable Path signingPair(
      ServerOptions options, String signer, Function<KeyPairFiles, Path> read) {
    SigningOptions signing = options.controllers().signing();
    KeyPairFiles pair =
        signer.isEmpty() ? signing.common() : signing.signers().get("kubernetes.io/" + signer);
    return pair == null ? null : read.apply(pair);
  }

  private static @Nullable Object kubeletPair(
      ServerOptions options, Function<KeyPairFiles, Path> read) {
    KeyPairFiles pair = options.kubelets().client();
    return pair == null ? null : read.apply(pair);
  }

  private static void aggregationCases(Map<String, Case> cases) {
    cases.put(
        "aggregator-reject-forwarding-redirect",
        new Case(o -> o.aggregation().rejectsRedirects(), true, "false", false));
    cases.put(
        "proxy-client-cert-file",
        new Case(
            o -> proxyClient(o, KeyPairFiles::certificate),
            null,
            file.toString(),
            file,
            List.of("--proxy-client-key-file=" + file)));
    cases.put(
        "proxy-client-key-file",
        new Case(
            o -> proxyClient(o, KeyPairFiles::key),
            null,
            file.toString(),
            file,
            List.of("--proxy-client-cert-file=" + file)));
  }

  private static @Nullable Path proxyClient(ServerOptions o, Function<KeyPairFiles, Path> read) {
    KeyPairFiles pair = o.aggregation().proxyClient();
    return pair == null ? null : read.apply(pair);
  }

  private static Case fileCase(Function<ServerOptions, @Nullable Object> read) {
    return new Case(read, null, file.toString(), file);
  }

  private static Map<String, Case> cases() {
    List<String> etcd = List.of("--etcd-servers=https://10.1.2.3:2379");
    Map<String, Case> cases = new TreeMap<>();
    cases.put(
        "data-dir",
        new Case(ServerOptions::dataDir, Path.of("./data"), "/var/x", Path.of("/var/x")));
    cases.put("v", new Case(ServerOptions::verbosity, 0, "4", 4));
    cases.put(
        "logging-format",
        new Case(
            o -> o.observation().logFormat(),
            ObservationOptions.LogFormat.TEXT,
            "json",
            ObservationOptions.LogFormat.JSON));
    cases.put("tracing-config-file", fileCase(o -> o.observation().tracingConfigFile()));
    cases.put("profiling", new Case(o -> o.observation().profiling(), true, "false", false));
    cases.put(
        "bind-address",
        new Case(
            o -> o.serving().bindAddress(),
            InetAddress.ofLiteral("127.0.0.1"),
            "::",
            InetAddress.ofLiteral("::"),
            List.of("--allow-insecure-exposure")));
    cases.put("secure-port", new Case(o -> o.serving().port(), 6443, "0", 0));
    cases.put(
        "http-port",
        new Case(
            o -> o.serving().plain().port(),
            0,
            "8080",
            8080,
            List.of("--authorization-mode=RBAC")));
    cases.put(
        "trusted-proxies",
        new Case(
            o -> o.serving().plain().trustedProxies(),
            List.of(),
            "10.0.0.0/8",
            List.of(Cidr.parse("10.0.0.0/8"))));
    cases.put(
        "advertise-address",
        new Case(
            o -> o.serving().advertiseAddress(),
            null,
            "10.1.2.3",
            InetAddress.ofLiteral("10.1.2.3"),
            List.of("--allow-insecure-exposure")));
    webCases(cases);
    controllerCases(cases);
    cases.put(
        "cert-dir",
        new Case(
            o -> o.serving().certDir(), Path.of("./data/pki"), "/var/pki", Path.of("/var/pki")));
    cases.put(
        "tls-cert-file",
        new Case(
            o -> o.serving().given(),
            null,
            file.toString(),
            new KeyPairFiles(file, other),
            List.of("--tls-private-key-file=" + other)));
    cases.put(
        "tls-private-key-file",
        new Case(
            o -> o.serving().given(),
            null,
            other.toString(),
            new KeyPairFiles(file, other),
            List.of("--tls-cert-file=" + file)));
    cases.put(
        "extra-san",
        new Case(
            o -> o.serving().extraNames(),
            List.of(),
            "a.example, 10.0.0.9",
            List.of("a.example", "10.0.0.9")));
    cases.put(
        "service-cluster-ip-range",
        new Case(
            o -> o.serving().serviceRange().toString(),
            "10.0.0.0/24",
            "10.9.8.7/16",
            "10.9.0.0/16"));
    cases.put(
        "service-node-port-range",
        new Case(
            o -> o.serving().nodePorts().toString(), "30000-32767", "20000-20010", "20000-20010"));
    cases.put(
        "shutdown-delay-duration",
        new Case(
            o -> o.serving().shutdown().delay(), Duration.ZERO, "1m5s", Duration.ofSeconds(65)));
    cases.put(
        "shutdown-grace-period",
        new Case(
            o -> o.serving().shutdown().grace(),
            Duration.ofSeconds(5),
            "250ms",
            Duration.ofMillis(250)));
    cases.put(
        "shutdown-watch-termination-grace-period",
        new Case(
            o -> o.serving().shutdown().watchGrace(),
            Duration.ZERO,
            "30s",
            Duration.ofSeconds(30)));
    cases.put(
        "shutdown-send-retry-after",
        new Case(o -> o.serving().shutdown().sendRetryAfter(), false, "true", true));
    auditCases(cases);
    authenticationCases(cases);
    cases.put(
        "anonymous-auth", new Case(o -> o.authentication().anonymous(), true, "false", false));
    cases.put(
        "client-ca-file",
        new Case(o -> o.authentication().clientCaFile(), null, file.toString(), file));
    cases.put(
        "token-auth-file",
        new Case(o -> o.authentication().tokenFile(), null, file.toString(), file));
    cases.put(
        "etcd-servers",
        new Case(
            o -> o.storage() instanceof Etcd e ? e.cluster().servers() : null,
            null,
            "http://a:2379,http://b:2379",
            List.of(URI.create("http://a:2379"), URI.create("http://b:2379"))));
    cases.put(
        "etcd-servers-overrides",
        new Case(
            o -> o.storage() instanceof Etcd e && !e.overrides().isEmpty() ? e.overrides() : null,
            null,
            "/events#http://a:1;http://b:1,coordination.k8s.io/*#http://c:1",
            List.of(
                new ResourceOverride(
                    "",
                    "events",
                    new Cluster(List.of(URI.create("http://a:1"), URI.create("http://b:1")), null)),
                new ResourceOverride(
                    "coordination.k8s.io",
                    "*",
                    new Cluster(List.of(URI.create("http://c:1")), null))),
            etcd));
    cases.put(
        "etcd-healthcheck-timeout",
        new Case(
            o -> o.storage().monitoring().healthTimeout(),
            Duration.ofSeconds(2),
            "15s",
            Duration.ofSeconds(15)));
    cases.put(
        "etcd-readycheck-timeout",
        new Case(
            o -> o.storage().monitoring().readyTimeout(),
            Duration.ofSeconds(2),
            "3s",
            Duration.ofSeconds(3)));
    cases.put(
        "etcd-db-metric-poll-interval",
        new Case(
            o -> o.storage().monitoring().sizeInterval(),
            Duration.ofSeconds(30),
            "0",
            Duration.ZERO));
    cases.put(
        "etcd-count-metric-poll-period",
        new Case(
            o -> o.storage().monitoring().countPeriod(),
            Duration.ofMinutes(1),
            "0",
            Duration.ZERO));
    cases.put(
        "etcd-cafile",
        new Case(
            o ->
                o.storage() instanceof Etcd e && e.cluster().tls() != null
                    ? e.cluster().tls().authorities()
                    : null,
            null,
            file.toString(),
            file,
            etcd));
    cases.put(
        "etcd-certfile",
        new Case(
            o ->
                o.storage() instanceof Etcd e && e.cluster().tls() != null
                    ? e.cluster().tls().client()
                    : null,
            null,
            file.toString(),
            new KeyPairFiles(file, other),
            List.of(etcd.getFirst(), "--etcd-keyfile=" + other)));
    cases.put(
        "etcd-keyfile",
        new Case(
            o ->
                o.storage() instanceof Etcd e && e.cluster().tls() != null
                    ? e.cluster().tls().client()
                    : null,
            null,
            other.toString(),
            new KeyPairFiles(file, other),
            List.of(etcd.getFirst(), "--etcd-certfile=" + file)));
    cases.put("etcd-prefix", new Case(o -> o.storage().prefix(), "/registry", "/x/", "/x"));
    cases.put(
        "storage-media-type",
        new Case(
            o -> o.storage().mediaType(),
            MediaType.JSON,
            "application/vnd.kubernetes.protobuf",
            MediaType.PROTOBUF));
    cases.put(
        "etcd-compaction-interval",
        new Case(o -> o.storage().compactionInterval(), Duration.ofMinutes(5), "0", Duration.ZERO));
    cases.put("encryption-provider-config", fileCase(o -> encryption(o, EncryptionOptions::file)));
    cases.put(
        "encryption-provider-config-automatic-reload",
        new Case(
            o -> encryption(o, EncryptionOptions::reload),
            null,
            "true",
            true,
            List.of("--encryption-provider-config=" + file)));
    cases.put(
        "history-retention",
        new Case(o -> o.storage().historyRetention(), Duration.ZERO, "24h", Duration.ofHours(24)));
    cases.put(
        "sqlite-synchronous",
        new Case(
            o -> o.storage() instanceof Sqlite s ? s.synchronous() : null,
            Synchronous.FULL,
            "normal",
            Synchronous.NORMAL));
    cases.put("watch-cache", new Case(o -> o.cache().enabled(), true, "false", false));
    cases.put("default-watch-cache-size", new Case(o -> o.cache().defaultSize(), 100, "0", 0));
    cases.put(
        "watch-cache-sizes",
        new Case(
            o -> o.cache().sizes(),
            Map.of(),
            "configmaps#0,ingresses.networking.k8s.io#10",
            Map.of(
                new GroupResource("", "configmaps"),
                0,
                new GroupResource("networking.k8s.io", "ingresses"),
                10)));
    aggregationCases(cases);
    kubeletCases(cases);
    cases.put(
        "max-connection-bytes-per-sec",
        new Case(o -> o.limits().connectionBytesPerSecond(), 0L, "4096", 4096L));
    cases.put("goaway-chance", new Case(o -> o.limits().goAwayChance(), 0.0, ".02", 0.02));
    cases.put("max-requests-inflight", new Case(o -> o.limits().maxReads(), 400, "0", 0));
    cases.put(
        "enable-priority-and-fairness", new Case(o -> o.limits().fair(), true, "false", false));
    cases.put("max-mutating-requests-inflight", new Case(o -> o.limits().maxWrites(), 200, "7", 7));
    cases.put(
        "request-timeout",
        new Case(
            o -> o.limits().requestTimeout(),
            Duration.ofMinutes(1),
            "1.5h",
            Duration.ofMinutes(90)));
    cases.put(
        "http-idle-timeout",
        new Case(
            o -> o.limits().idleTimeout(), Duration.ofSeconds(90), "10s", Duration.ofSeconds(10)));
    cases.put(
        "min-request-timeout",
        new Case(
            o -> o.limits().minWatchTimeout(),
            Duration.ofMinutes(30),
            "60",
            Duration.ofMinutes(1)));
    cases.put(
        "delete-collection-workers",
        new Case(o -> o.limits().deleteCollectionWorkers(), 1, "8", 8));
    cases.put(
        "event-ttl",
        new Case(o -> o.limits().eventTtl(), Duration.ofHours(1), "90s", Duration.ofSeconds(90)));
    cases.put(
        "feature-gates",
        new Case(
            ServerOptions::features,
            FeatureGates.DEFAULT,
            "DryRun=false,AllAlpha=true",
            FeatureGates.DEFAULT.with(Feature.DRY_RUN, false).with(Feature.ALL_ALPHA, true)));
    authorization(cases);
    return cases;
  }

  private static void authorization(Map<String, Case> cases) {
    List<String> webhook =
        List.of("--authorization-mode=Webhook", "--authorization-webhook-config-file=" + file);
    cases.put(
        "enable-admission-plugins",
        new Case(
            o -> o.admission().enabled().contains(PluginName.ALWAYS_PULL_IMAGES),
            false,
            "AlwaysPullImages,Priority",
            true));
    cases.put(
        "disable-admission-plugins",
        new Case(
            o -> o.admission().enabled().contains(PluginName.SERVICE_ACCOUNT),
            true,
            "ServiceAccount",
            false));
    cases.put(
        "default-not-ready-toleration-seconds",
        new Case(o -> o.admission().notReadySeconds(), 300L, "7", 7L));
    cases.put(
        "default-unreachable-toleration-seconds",
        new Case(o -> o.admission().unreachableSeconds(), 300L, "8", 8L));
    cases.put(
        "authorization-mode",
        new Case(
            o -> o.authorization().modes(),
            List.of(Mode.ALWAYS_ALLOW),
            "Node,RBAC",
            List.of(Mode.NODE, Mode.RBAC)));
    cases.put(
        "authorization-config",
        new Case(o -> o.authorization().configFile(), null, file.toString(), file));
    cases.put(
        "authorization-policy-file",
        new Case(
            o -> o.authorization().policyFile(),
            null,
            file.toString(),
            file,
            List.of("--authorization-mode=ABAC")));
    cases.put(
        "authorization-webhook-config-file",
        new Case(
            o -> o.authorization().webhook(),
            null,
            file.toString(),
            new AuthorizationOptions.Webhook(
                file, "v1beta1", Duration.ofMinutes(5), Duration.ofSeconds(30)),
            List.of("--authorization-mode=Webhook")));
    cases.put(
        "authorization-webhook-version",
        new Case(o -> hook(o, AuthorizationOptions.Webhook::version), null, "v1", "v1", webhook));
    cases.put(
        "authorization-webhook-cache-authorized-ttl",
        new Case(
            o -> hook(o, AuthorizationOptions.Webhook::authorizedTtl),
            null,
            "1s",
            Duration.ofSeconds(1),
            webhook));
    cases.put(
        "authorization-webhook-cache-unauthorized-ttl",
        new Case(
            o -> hook(o, AuthorizationOptions.Webhook::unauthorizedTtl),
            null,
            "0s",
            Duration.ZERO,
            webhook));
    cases.put(
        "authorization-always-allow-paths",
        new Case(
            o -> o.authorization().alwaysAllowPaths(),
            List.of("/healthz", "/readyz", "/livez"),
            "/healthz,/open/*",
            List.of("/healthz", "/open/*")));
    cases.put(
        "allow-insecure-exposure",
        new Case(o -> o.authorization().insecureExposure(), false, "true", true));
  }

  private static <T> @Nullable T hook(
      ServerOptions options, Function<AuthorizationOptions.Webhook, T> part) {
    AuthorizationOptions.Webhook webhook = options.authorization().webhook();
    return webhook == null ? null : part.apply(webhook);
  }

  static Stream<String> names() {
    return cases().keySet().stream();
  }

  @Test
  void everyFlag_hasACaseHere() {
    Set<String> flags = new TreeSet<>();
    new Flags().all().forEach(flag -> flags.add(flag.name()));
    // where the others may come from; SourcesTest has it
    flags.remove("config");

    assertThat(cases().keySet()).isEqualTo(flags);
  }

  @Test
  void featureGate_unknownOrWithoutAValue_endsTheStart() {
    assertThatThrownBy(() -> options(List.of("--feature-gates=Nope=true"), Map.of()))
        .isInstanceOf(FlagException.class)
        .hasMessageContaining("unrecognized feature gate: Nope");
    assertThatThrownBy(() -> options(List.of("--feature-gates=DryRun"), Map.of()))
        .isInstanceOf(FlagException.class)
        .hasMessageContaining("missing bool value for DryRun");
  }

  @ParameterizedTest
  @MethodSource("names")
  void flag_absent_hasItsDefault(String name) {
    Case flag = caseOf(name);

    assertThat(flag.read().apply(options(List.of(), Map.of()))).isEqualTo(flag.byDefault());
  }

  @ParameterizedTest
  @MethodSource("names")
  void flag_onTheCommandLine_isMapped(String name) {
    Case flag = caseOf(name);
    List<String> arguments =
        Stream.concat(flag.along().stream(), Stream.of("--" + name + "=" + flag.text())).toList();

    assertThat(flag.read().apply(options(arguments, Map.of()))).isEqualTo(flag.mapped());
  }

  @ParameterizedTest
  @MethodSource("names")
  void flag_inTheEnvironment_isMapped(String name) {
    Case flag = caseOf(name);
    String variable = "KEELSON_" + name.replace('-', '_').toUpperCase(java.util.Locale.ROOT);

    assertThat(flag.read().apply(options(flag.along(), Map.of(variable, flag.text()))))
        .isEqualTo(flag.mapped());
  }

  @ParameterizedTest
  @MethodSource("names")
  void flag_inAFile_isMapped(String name) throws IOException {
    Case flag = caseOf(name);
    Path settings =
        Files.writeString(directory.resolve(name + ".yaml"), name + ": '" + flag.text() + "'\n");
    List<String> arguments =
        Stream.concat(flag.along().stream(), Stream.of("--config", settings.toString())).toList();

    assertThat(flag.read().apply(options(arguments, Map.of()))).isEqualTo(flag.mapped());
  }

  @ParameterizedTest
  @MethodSource("names")
  void flag_isInTheHelpWithItsDefault(String name) {
    Flags.Wish wish = new Flags().read(List.of("--help"), Map.of());

    assertThat(wish).isInstanceOf(Flags.Wish.Help.class);
    assertThat(((Flags.Wish.Help) wish).text()).containsPattern("--" + name + "[ \n]");
  }

  @Test
  void bareSwitch_isTrue() {
    ServerOptions options =
        options(List.of("--anonymous-auth"), Map.of("KEELSON_ANONYMOUS_AUTH", "false"));

    assertThat(options.authentication().anonymous()).isTrue();
  }

  @Test
  void flag_givenTwice_theLastCounts() {
    ServerOptions options = options(List.of("--secure-port=1", "--secure-port=2"), Map.of());

    assertThat(options.serving().port()).isEqualTo(2);
  }

  @Test
  void version_isAsked() {
    assertThat(new Flags().read(List.of("--version"), Map.of()))
        .isInstanceOf(Flags.Wish.Version.class);
  }

  @Test
  void schedulerWithoutValue_isOn() {
    assertThat(
            options(List.of("--scheduler", "--secure-port=0"), Map.of()).controllers().scheduler())
        .isTrue();
    assertThat(options(List.of("--scheduler=false"), Map.of()).controllers().scheduler()).isFalse();
  }

  static Stream<List<String>> wrongUses() {
    return Stream.of(
        List.of("unknown flag: --secure-prot; did you mean --secure-port?", "--secure-prot=1"),
        List.of("unknown flag: --zzzzzzzzzzzz", "--zzzzzzzzzzzz"),
        List.of("unexpected argument \"start\": flags begin with --", "start"),
        List.of("flag needs an argument: --secure-port", "--secure-port"),
        List.of(
            "invalid argument \"x\" for \"--secure-port\" flag: strconv.ParseInt: parsing \"x\":"
                + " invalid syntax",
            "--secure-port=x"),
        List.of(
            "invalid argument \"65536\" for \"--secure-port\" flag: a whole number from 0 to 65535"
                + " is expected, found \"65536\"",
            "--secure-port=65536"),
        List.of(
            "invalid argument \"maybe\" for \"--anonymous-auth\" flag: strconv.ParseBool: parsing"
                + " \"maybe\": invalid syntax",
            "--anonymous-auth=maybe"),
        List.of(
            "invalid argument \"localhost\" for \"--bind-address\" flag: an IP address such as"
                + " 127.0.0.1 or ::1 is expected, found \"localhost\"",
            "--bind-address=localhost"),
        List.of(
            "invalid argument \"none\" for \"--sqlite-synchronous\" flag: one of [OFF, NORMAL,"
                + " FULL] is expected, found \"none\"",
            "--sqlite-synchronous=none"),
        List.of(
            "invalid argument \"application/yaml\" for \"--storage-media-type\" flag:"
                + " application/json or application/vnd.kubernetes.protobuf is expected, found"
                + " \"application/yaml\"",
            "--storage-media-type=application/yaml"),
        List.of("--tls-cert-file needs --tls-private-key-file as well", "--tls-cert-file=a"),
        List.of("--tls-private-key-file needs --tls-cert-file as well", "--tls-private-key-file=a"),
        List.of("--client-ca-file: file /nope does not exist", "--client-ca-file=/nope"),
        List.of("--token-auth-file: file /nope does not exist", "--token-auth-file=/nope"),
        List.of(
            "--oidc-issuer-url: oidc-issuer-url and oidc-client-id must be specified together when"
                + " any oidc-* flags are set, --oidc-client-id is missing",
            "--oidc-issuer-url=https://i"),
        List.of(
            "--authentication-config: authentication-config file and oidc-* flags are mutually"
                + " exclusive",
            "--authentication-config=" + file,
            "--oidc-issuer-url=https://i",
            "--oidc-client-id=c"),
        List.of(
            "--authentication-skip-lookup needs --authentication-kubeconfig as well",
            "--authentication-skip-lookup"),
        List.of(
            "--authentication-kubeconfig cannot be given together with"
                + " --authentication-token-webhook-config-file",
            "--authentication-kubeconfig=" + file,
            "--authentication-token-webhook-config-file=" + file),
        List.of(
            "--authorization-kubeconfig cannot be given together with --authorization-mode",
            "--authorization-kubeconfig=" + file,
            "--authorization-mode=RBAC"),
        List.of(
            "invalid argument \"EdDSA\" for \"--oidc-signing-algs\" flag: one of [ES256, ES384,"
                + " ES512, PS256, PS384, PS512, RS256, RS384, RS512] is expected, found \"EdDSA\"",
            "--oidc-issuer-url=https://i",
            "--oidc-client-id=c",
            "--oidc-signing-algs=EdDSA"),
        List.of(
            "--console-oidc-client-id needs --oidc-issuer-url or --authentication-config as well",
            "--console-oidc-client-id=c"),
        List.of(
            "--console-oidc-client-secret-file needs --console-oidc-client-id as well",
            "--console-oidc-client-secret-file=" + file),
        List.of(
            "--console-oidc-extra-scopes needs --console-oidc-client-id as well",
            "--console-oidc-extra-scopes=email"),
        List.of(
            "invalid argument \"a b\" for \"--console-oidc-extra-scopes\" flag: a scope is"
                + " expected, found \"a b\"",
            "--console-oidc-extra-scopes=a b"),
        List.of(
            "--oidc-groups-claim: oidc-issuer-url and oidc-client-id must be specified together"
                + " when any oidc-* flags are set, --oidc-issuer-url is missing",
            "--oidc-groups-claim=g"),
        List.of(
            "invalid argument \"http://i\" for \"--oidc-issuer-url\" flag: an https:// URL is"
                + " expected, found \"http://i\"",
            "--oidc-issuer-url=http://i",
            "--oidc-client-id=c"),
        List.of(
            "--tls-cipher-suites: Cipher suite TLS_X not supported or doesn't exist",
            "--tls-cipher-suites=TLS_X"),
        List.of(
            "invalid --tls-curve-preferences value: 4588 needs another group beside it, which the"
                + " TLS of the JDK has",
            "--tls-curve-preferences=4588,4587"),
        List.of(
            "invalid argument \"VersionTLS14\" for \"--tls-min-version\" flag: unknown tls version"
                + " \"VersionTLS14\"",
            "--tls-min-version=VersionTLS14"),
        List.of(
            "--proxy-client-cert-file needs --proxy-client-key-file as well",
            "--proxy-client-cert-file=a"),
        List.of(
            "--service-account-max-token-expiration: the service-account-max-token-expiration must be between 1 hour and 2^32 seconds",
            "--service-account-max-token-expiration=1m"),
        List.of("--etcd-cafile needs --etcd-servers", "--etcd-cafile=a"),
        List.of(
            "--encryption-provider-config-automatic-reload must be set with"
                + " --encryption-provider-config",
            "--encryption-provider-config-automatic-reload"),
        List.of(
            "--sqlite-synchronous is for SQLite and cannot go with --etcd-servers",
            "--etcd-servers=http://a:1",
            "--sqlite-synchronous=OFF"),
        List.of(
            "--etcd-servers-overrides needs --etcd-servers",
            "--etcd-servers-overrides=/events#http://a:1"),
        List.of(
            "invalid argument \"events#http://a:1\" for \"--etcd-servers-overrides\" flag:"
                + " group/resource#servers, where servers are URLs, semicolon separated, is"
                + " expected, found \"events#http://a:1\"",
            "--etcd-servers=http://a:1",
            "--etcd-servers-overrides=events#http://a:1"),
        List.of(
            "--etcd-servers-overrides: http and https cannot be mixed",
            "--etcd-servers=http://a:1",
            "--etcd-servers-overrides=/events#http://b:1;https://c:1"),
        List.of(
            "--etcd-servers-overrides: namespaces must be in --etcd-servers, with what depends on"
                + " the order of their changes",
            "--etcd-servers=http://a:1",
            "--etcd-servers-overrides=/*#http://b:1"),
        List.of(
            "--etcd-certfile needs --etcd-keyfile as well",
            "--etcd-servers=https://a:1",
            "--etcd-certfile=a"),
        List.of(
            "--etcd-cafile needs https addresses in --etcd-servers",
            "--etcd-servers=http://a:1",
            "--etcd-cafile=a"),
        List.of(
            "--etcd-cafile: file /nope does not exist",
            "--etcd-servers=https://a:1",
            "--etcd-cafile=/nope"),
        List.of(
            "--etcd-servers: http and https cannot be mixed",
            "--etcd-servers=http://a:1,https://b:1"),
        List.of(
            "invalid argument \"a:1\" for \"--etcd-servers\" flag: an address such as"
                + " http://127.0.0.1:2379 is expected, found \"a:1\"",
            "--etcd-servers=a:1"),
        List.of(
            "--etcd-prefix: a path such as /registry is expected, found \"//\"",
            "--etcd-prefix=//"),
        List.of("--request-timeout: a duration above 0 is expected", "--request-timeout=0s"),
        List.of(
            "--service-cluster-ip-range: 10.0.0.0/32 has too few addresses",
            "--service-cluster-ip-range=10.0.0.0/32"),
        List.of(
            "invalid argument \"rbac\" for \"--authorization-mode\" flag: authorization-mode"
                + " \"rbac\" is not a valid mode, which are AlwaysAllow, AlwaysDeny, ABAC,"
                + " Webhook, RBAC, Node",
            "--authorization-mode=rbac"),
        List.of(
            "--authorization-mode: authorization-mode [\"RBAC\" \"Node\" \"RBAC\"] has mode"
                + " specified more than once",
            "--authorization-mode=RBAC,Node,RBAC"),
        List.of(
            "--authorization-mode: authorization-mode ABAC's authorization policy file not passed,"
                + " set --authorization-policy-file",
            "--authorization-mode=ABAC"),
        List.of(
            "--authorization-mode: authorization-mode Webhook's authorization config file not"
                + " passed, set --authorization-webhook-config-file",
            "--authorization-mode=RBAC,Webhook"),
        List.of(
            "cannot specify --authorization-policy-file without mode ABAC",
            "--authorization-policy-file=a"),
        List.of(
            "--authorization-config can not be specified when --authorization-mode or"
                + " --authorization-webhook-* flags are defined, found --authorization-mode",
            "--authorization-config=a",
            "--authorization-mode=RBAC"),
        List.of(
            "--authorization-mode: AlwaysAllow gives every client that reaches 192.0.2.7 full"
                + " access without credentials. Use --authorization-mode RBAC, or"
                + " --anonymous-auth=false, or a loopback --bind-address; or set"
                + " --allow-insecure-exposure to allow this",
            "--bind-address=192.0.2.7"),
        List.of(
            "--http-port: with --authorization-mode AlwaysAllow every client has full access"
                + " without credentials, by plain HTTP. Use --authorization-mode RBAC, or"
                + " --anonymous-auth=false",
            "--http-port=8080",
            "--authorization-mode=AlwaysAllow",
            "--allow-insecure-exposure"),
        List.of("--http-port: 6443 is the port of --secure-port", "--http-port=6443"),
        List.of("--config: file /nope does not exist", "--config=/nope"));
  }

  /** kube-apiserver switches anonymous requests off; the contract's defaults are both on. */
  @Test
  void anonymousRequests_whereEverythingIsAllowed_areServed() {
    ServerOptions options = options(List.of("--authorization-mode=AlwaysAllow"), Map.of());

    assertThat(options.authentication().anonymous()).isTrue();
  }

  @ParameterizedTest
  @MethodSource("wrongUses")
  void wrongUse_isRefusedByName(List<String> messageThenArguments) {
    List<String> arguments = messageThenArguments.subList(1, messageThenArguments.size());

    assertThatThrownBy(() -> new Flags().read(arguments, Map.of()))
        .isInstanceOf(FlagException.class)
        .hasMessage(messageThenArguments.getFirst());
  }

  private static Case caseOf(String name) {
    Case found = cases().get(name);
    if (found == null) {
      throw new IllegalStateException(name);
    }
    return found;
  }

  private static ServerOptions options(List<String> arguments, Map<String, String> variables) {
    return ((Flags.Wish.Run) new Flags().read(arguments, variables)).options();
  }

  /** Values that kube-apiserver takes, and what they are here. */
  static Stream<Arguments> tolerated() {
    return Stream.of(
        tolerated("--min-request-timeout=0", o -> o.limits().minWatchTimeout(), Duration.ZERO),
        tolerated("--delete-collection-workers=0", o -> o.limits().deleteCollectionWorkers(), 1),
        tolerated("--delete-collection-workers=-1", o -> o.limits().deleteCollectionWorkers(), 1),
        tolerated(
            "--delete-collection-workers=5000", o -> o.limits().deleteCollectionWorkers(), 1000),
        tolerated("--event-ttl=0s", o -> o.limits().eventTtl(), Duration.ZERO),
        tolerated("--v=99", ServerOptions::verbosity, 10),
        tolerated("--v=-1", ServerOptions::verbosity, 0),
        tolerated(
            "--default-not-ready-toleration-seconds=-1", o -> o.admission().notReadySeconds(), -1L),
        tolerated(
            "--http2-max-streams-per-connection=-1", o -> o.serving().tls().maxStreams(), 100),
        tolerated("--etcd-prefix=a/registry/", o -> o.storage().prefix(), "/a/registry"),
        tolerated("--etcd-prefix=/a//b", o -> o.storage().prefix(), "/a/b"),
        tolerated(
            "--tls-sni-cert-key=" + file + "," + other + ": ::1, a.example",
            o -> o.serving().tls().named().getFirst().patterns(),
            List.of("::1", "a.example")));
  }

  private static Arguments tolerated(
      String argument, Function<ServerOptions, Object> read, Object value) {
    return Arguments.of(argument, read, value);
  }

  @ParameterizedTest(name = "{0}")
  @MethodSource("tolerated")
  void valueThatKubernetesTakes_isTaken(
      String argument, Function<ServerOptions, Object> read, Object value) {
    assertThat(read.apply(options(List.of(argument), Map.of()))).isEqualTo(value);
  }

  @Test
  void requiredClaim_mayHaveACommaInItsValue() {
    OidcOptions oidc =
        options(
                List.of(
                    "--oidc-issuer-url=https://i",
                    "--oidc-client-id=c",
                    "--oidc-required-claim=hd=a,b",
                    "--oidc-required-claim=tier=gold"),
                Map.of())
            .authentication()
            .oidc();

    assertThat(oidc == null ? null : oidc.requiredClaims())
        .isEqualTo(Map.of("hd", "a,b", "tier", "gold"));
  }

  /** Source: {@code TestAPICiphers} of Kubernetes, whose server names these suites. */
  @Test
  void suitesOfKubernetes_areTaken_alsoThoseThatTheJdkLacks() {
    Flags.Wish.Run run =
        (Flags.Wish.Run)
            new Flags()
                .read(
                    List.of(
                        "--tls-cipher-suites=TLS_ECDHE_RSA_WITH_CHACHA20_POLY1305,"
                            + "TLS_RSA_WITH_RC4_128_SHA,TLS_ECDHE_RSA_WITH_AES_128_GCM_SHA256"),
                    Map.of());

    assertThat(run.options().serving().tls().cipherSuites())
        .endsWith(
            "TLS_ECDHE_RSA_WITH_CHACHA20_POLY1305_SHA256",
            "TLS_RSA_WITH_RC4_128_SHA",
            "TLS_ECDHE_RSA_WITH_AES_128_GCM_SHA256");
    // the JDK is asked when the server starts: CipherSuitesTest
    assertThat(run.warnings()).isEmpty();
  }

  @Test
  void suitesWithTls13Alone_haveNoEffect() {
    Flags.Wish.Run run =
        (Flags.Wish.Run)
            new Flags()
                .read(
                    List.of(
                        "--tls-min-version=VersionTLS13",
                        "--tls-cipher-suites=TLS_ECDHE_ECDSA_WITH_AES_128_GCM_SHA256"),
                    Map.of());

    assertThat(run.options().serving().tls().cipherSuites()).isEmpty();
    assertThat(run.warnings())
        .containsExactly(
            "--tls-cipher-suites has no effect with --tls-min-version=VersionTLS13: the suites of"
                + " TLS 1.3 are not configurable");
  }

  @Test
  void olderVersionsOfTls_areTakenAs12() {
    Flags.Wish.Run run =
        (Flags.Wish.Run) new Flags().read(List.of("--tls-min-version=VersionTLS10"), Map.of());

    assertThat(run.options().serving().tls().protocols()).containsExactly("TLSv1.3", "TLSv1.2");
    assertThat(run.warnings())
        .containsExactly("--tls-min-version=VersionTLS10 has no effect: TLS 1.2 is the least");
  }

  @Test
  void frontProxyWithoutAuthorities_isNotTrusted_andTold() {
    Flags.Wish.Run run =
        (Flags.Wish.Run) new Flags().read(List.of("--requestheader-allowed-names=a"), Map.of());

    assertThat(run.options().authentication().proxy()).isNull();
    assertThat(run.warnings())
        .containsExactly(
            "--requestheader-allowed-names has no effect without --requestheader-client-ca-file");
  }

  @Test
  void flagz_showsFlagsOfKubernetesThatWereGiven() {
    assertThat(options(List.of("--emulated-version=1.36"), Map.of()).observation().flags())
        .containsEntry("emulated-version", "1.36");
  }

  @Test
  void flagz_showsTextsOfAllFlags_butNoPasswords() {
    Map<String, String> flags =
        options(
                List.of("--v=4", "--audit-trail=postgresql://u:hunter2@db/x"),
                Map.of("KEELSON_LOGGING_FORMAT", "json"))
            .observation()
            .flags();

    assertThat(flags)
        .containsEntry("v", "4")
        .containsEntry("logging-format", "json")
        .containsEntry("profiling", "true")
        .containsEntry("audit-trail", "CLASSIFIED");
    assertThat(flags.toString()).doesNotContain("hunter2");
  }
}
