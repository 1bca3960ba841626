package dev.keelson.config.option;

import dev.keelson.admission.plugin.PluginOptions;
import dev.keelson.api.ApiEnablement;
import dev.keelson.api.FeatureGates;
import dev.keelson.authz.AuthorizationOptions;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/**
 * The validated options of the server.
 *
 * @param dataDir the data directory
 * @param verbosity the log level, 0 to 10
 * @param observation tracing, the format of the log, profiles
 * @param serving the listener and its certificate
 * @param authentication authentication
 * @param authorization authorization
 * @param admission the admission plugins
 * @param audit the audit policy and backends; null without any audit flag, so that a server without
 *     audit loads no class of it
 * @param storage the store
 * @param encryption encryption at rest; null without it
 * @param cache the watch cache
 * @param limits limits on concurrency and durations
 * @param aggregation how webhooks and other API servers are reached
 * @param kubelets how kubelets are reached
 * @param controllers which controllers run
 * @param features the feature gates
 * @param served which built-in types are served
 * @param web what responses tell clients and browsers
 * @param privileged whether pods may have privileged containers
 */
public record ServerOptions(
    Path dataDir,
    int verbosity,
    ObservationOptions observation,
    ServingOptions serving,
    AuthenticationOptions authentication,
    AuthorizationOptions authorization,
    PluginOptions admission,
    @Nullable AuditOptions audit,
    StorageOptions storage,
    @Nullable EncryptionOptions encryption,
    CacheOptions cache,
    LimitOptions limits,
    AggregationOptions aggregation,
    KubeletOptions kubelets,
    ControllerOptions controllers,
    FeatureGates features,
    ApiEnablement served,
    WebOptions web,
    boolean privileged) {}
