package dev.keelson.config;

import dev.keelson.api.Feature;
import dev.keelson.api.FeatureGates;
import dev.keelson.audit.log.LogFormat;
import dev.keelson.config.flag.Checks;
import dev.keelson.config.flag.Flag;
import dev.keelson.config.flag.FlagException;
import dev.keelson.config.flag.FlagGroup;
import dev.keelson.config.flag.Settings;
import dev.keelson.config.flag.Values;
import dev.keelson.config.option.AuditOptions;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Locale;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * What is recorded of requests, and where. Flags have texts, which become values of package audit
 * only if one is given: a parser's type would load the class of its value.
 */
final class AuditFlags {

  private static final String VERSION = "audit.k8s.io/v1";

  private final Flag<@Nullable Path> policyFile;
  private final Flag<@Nullable String> logPath;
  private final Flag<String> logFormat;
  private final Flag<String> logVersion;
  private final Flag<Integer> logMaxAge;
  private final Flag<Integer> logMaxBackup;
  private final Flag<Integer> logMaxSize;
  private final Flag<Boolean> logCompress;
  private final AuditDeliveryFlags logDelivery;
  private final Flag<@Nullable Path> webhookConfigFile;
  private final Flag<String> webhookVersion;
  private final Flag<Duration> webhookInitialBackoff;
  private final AuditDeliveryFlags webhookDelivery;
  private final AuditTrailFlags trail;
  private final Flag<Boolean> dynamic;

  private final FlagGroup group;

  AuditFlags(FlagGroup group) {
    this.group = group;
    policyFile =
        group.optional(
            "audit-policy-file",
            "FILE",
            "Audit policy (audit.k8s.io/v1 Policy), reloaded when it changes. Without it every"
                + " request is recorded at level Metadata if there is a back end.",
            Values::path);
    logPath =
        group.optional(
            "audit-log-path",
            "FILE",
            "File that audit events are appended to; - is standard out.",
            Values::text);
    logFormat =
        group.single(
            "audit-log-format",
            "FORMAT",
            "json",
            "Format of the audit log: json (one object a line) or legacy (one line of text).",
            AuditFlags::format);
    logVersion = version(group, "log");
    logMaxAge =
        group.single(
            "audit-log-maxage",
            "DAYS",
            "0",
            "Days after which rotated audit logs are deleted; 0 keeps them.",
            notNegative("audit-log-maxage"));
    logMaxBackup =
        group.single(
            "audit-log-maxbackup",
            "COUNT",
            "0",
            "Maximum number of rotated audit logs; 0 keeps all.",
            notNegative("audit-log-maxbackup"));
    logMaxSize =
        group.single(
            "audit-log-maxsize",
            "MEGABYTES",
            "0",
            "Size in megabytes at which the audit log is rotated; 0 is 100.",
            notNegative("audit-log-maxsize"));
    logCompress =
        group.toggle("audit-log-compress", false, "Compress rotated audit logs with gzip.");
    logDelivery = new AuditDeliveryFlags(group, AuditDeliveryFlags.Defaults.LOG);
    webhookConfigFile =
        group.optional(
            "audit-webhook-config-file",
            "FILE",
            "Kubeconfig of the webhook that audit events are posted to; read again when it"
                + " changes.",
            Values::path);
    webhookVersion = version(group, "webhook");
    webhookInitialBackoff =
        group.single(
            "audit-webhook-initial-backoff",
            "DURATION",
            "10s",
            "Wait before the first repetition of a failed request to the audit webhook.",
            Values::duration);
    webhookDelivery = new AuditDeliveryFlags(group, AuditDeliveryFlags.Defaults.WEBHOOK);
    trail = new AuditTrailFlags(group);
    dynamic =
        group.toggle(
            "audit-dynamic-configuration",
            false,
            "Serve auditregistration.k8s.io/v1alpha1: each AuditSink object is a webhook that"
                + " audit events are posted to. Needs the feature gate DynamicAuditing.");
  }

  /**
   * The options; null if no flag of the group is given.
   *
   * @param gates must have DynamicAuditing for dynamic sinks
   */
  @Nullable AuditOptions options(Settings settings, FeatureGates gates) {
    if (group.flags().stream().noneMatch(settings::has)) {
      return null;
    }
    boolean sinks = settings.value(dynamic);
    if (sinks && !gates.on(Feature.DYNAMIC_AUDITING)) {
      throw new FlagException(dynamic.dashed() + " needs --feature-gates=DynamicAuditing=true");
    }
    return new AuditOptions(
        readable(settings, policyFile),
        new AuditOptions.Log(
            settings.value(logPath),
            LogFormat.valueOf(settings.value(logFormat).toUpperCase(Locale.ROOT)),
            settings.value(logVersion),
            settings.value(logMaxAge),
            settings.value(logMaxBackup),
            settings.value(logMaxSize),
            settings.value(logCompress),
            logDelivery.options(settings)),
        new AuditOptions.Webhook(
            readable(settings, webhookConfigFile),
            settings.value(webhookVersion),
            settings.value(webhookInitialBackoff),
            webhookDelivery.options(settings)),
        trail.options(settings),
        sinks);
  }

  private static @Nullable Path readable(Settings settings, Flag<@Nullable Path> flag) {
    Path file = settings.value(flag);
    return file == null ? null : Checks.readable(flag, file);
  }

  private static Flag<String> version(FlagGroup group, String backEnd) {
    return group.single(
        "audit-" + backEnd + "-version",
        "GROUP/VERSION",
        VERSION,
        "Group and version of the events that the " + backEnd + " back end writes.",
        text -> {
          if (!text.equals(VERSION)) {
            throw new IllegalArgumentException(
                "invalid group version, allowed versions are [\"" + VERSION + "\"]");
          }
          return text;
        });
  }

  private static String format(String text) {
    for (LogFormat format : LogFormat.values()) {
      if (format.name().toLowerCase(Locale.ROOT).equals(text)) {
        return text;
      }
    }
    throw new IllegalArgumentException(
        "invalid audit log format " + text + ", allowed formats are \"legacy,json\"");
  }

  private static Function<String, Integer> notNegative(String name) {
    return text -> {
      int value = Values.integer(Integer.MIN_VALUE, Integer.MAX_VALUE).apply(text);
      if (value < 0) {
        throw new IllegalArgumentException(
            "--" + name + " " + value + " can't be a negative number");
      }
      return value;
    };
  }
}
