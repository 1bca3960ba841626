package dev.keelson.config;

import dev.keelson.audit.AuditMode;
import dev.keelson.audit.delivery.BatchOptions;
import dev.keelson.audit.delivery.BatchOptions.Throttle;
import dev.keelson.audit.delivery.TruncateOptions;
import dev.keelson.config.flag.Flag;
import dev.keelson.config.flag.FlagException;
import dev.keelson.config.flag.FlagGroup;
import dev.keelson.config.flag.Settings;
import dev.keelson.config.flag.Values;
import dev.keelson.config.option.AuditOptions.Delivery;
import java.math.BigDecimal;
import java.time.Duration;

/** The flags that all audit back ends have: mode, batching and truncation. */
final class AuditDeliveryFlags {

  private final String backEnd;
  private final Flag<String> mode;
  private final Flag<Integer> bufferSize;
  private final Flag<Integer> maxSize;
  private final Flag<Duration> maxWait;
  private final Flag<Boolean> throttle;
  private final Flag<Double> throttleQps;
  private final Flag<Integer> throttleBurst;
  private final Flag<Boolean> truncate;
  private final Flag<Long> maxBatchBytes;
  private final Flag<Long> maxEventBytes;

  /**
   * What differs between the back ends.
   *
   * @param name the word in the flags
   */
  record Defaults(
      String name,
      String mode,
      String maxSize,
      String maxWait,
      boolean throttle,
      String qps,
      String burst,
      boolean truncate) {

    static final Defaults LOG = new Defaults("log", "blocking", "1", "0s", false, "0", "0", false);
    static final Defaults WEBHOOK =
        new Defaults("webhook", "batch", "400", "30s", true, "10", "15", false);

    /** An event is soon found; a row of the database is bounded unless the operator wants more. */
    static final Defaults TRAIL =
        new Defaults("trail", "batch", "400", "100ms", false, "10", "15", true);
  }

  AuditDeliveryFlags(FlagGroup group, Defaults defaults) {
    backEnd = defaults.name();
    String prefix = "audit-" + backEnd + "-";
    mode =
        group.single(
            prefix + "mode",
            "MODE",
            defaults.mode(),
            "batch buffers events and never delays a request; blocking lets a request wait until"
                + " its events are written; blocking-strict also fails it if they cannot be.",
            this::mode);
    bufferSize =
        group.single(
            prefix + "batch-buffer-size",
            "COUNT",
            "10000",
            "Maximum number of buffered events in mode batch; more are dropped and counted.",
            Values.integer(Integer.MIN_VALUE, Integer.MAX_VALUE));
    maxSize =
        group.single(
            prefix + "batch-max-size",
            "COUNT",
            defaults.maxSize(),
            "Maximum number of events in a batch.",
            Values.integer(Integer.MIN_VALUE, Integer.MAX_VALUE));
    maxWait =
        group.single(
            prefix + "batch-max-wait",
            "DURATION",
            defaults.maxWait(),
            "Time that a batch waits to fill; 0s writes what is there.",
            Values::duration);
    throttle =
        group.toggle(
            prefix + "batch-throttle-enable",
            defaults.throttle(),
            "Limit the rate of batches in mode batch.");
    throttleQps =
        group.single(
            prefix + "batch-throttle-qps",
            "RATE",
            defaults.qps(),
            "Maximum average number of batches a second.",
            AuditDeliveryFlags::rate);
    throttleBurst =
        group.single(
            prefix + "batch-throttle-burst",
            "COUNT",
            defaults.burst(),
            "Maximum number of batches at once after a pause.",
            Values.integer(Integer.MIN_VALUE, Integer.MAX_VALUE));
    truncate =
        group.toggle(
            prefix + "truncate-enabled",
            defaults.truncate(),
            "Limit the size of events and batches.");
    maxBatchBytes =
        group.single(
            prefix + "truncate-max-batch-size",
            "BYTES",
            "10485760",
            "Larger batches are split.",
            AuditDeliveryFlags::bytes);
    maxEventBytes =
        group.single(
            prefix + "truncate-max-event-size",
            "BYTES",
            "102400",
            "Larger events lose request and response, and are dropped if still too large.",
            AuditDeliveryFlags::bytes);
  }

  Delivery options(Settings settings) {
    AuditMode chosen = AuditMode.of(settings.value(mode)).orElseThrow();
    if (chosen == AuditMode.BATCH) {
      positive(bufferSize, "batch " + backEnd + " buffer size", settings.value(bufferSize));
      positive(maxSize, "batch " + backEnd + " max batch size", settings.value(maxSize));
    }
    boolean throttled = settings.value(throttle);
    if (throttled && chosen == AuditMode.BATCH) {
      positive(throttleQps, "batch " + backEnd + " throttle QPS", settings.value(throttleQps));
      positive(
          throttleBurst, "batch " + backEnd + " throttle burst", settings.value(throttleBurst));
    }
    return new Delivery(
        chosen,
        new BatchOptions(
            settings.value(bufferSize),
            settings.value(maxSize),
            settings.value(maxWait),
            throttled
                ? new Throttle(settings.value(throttleQps), settings.value(throttleBurst))
                : null),
        truncation(settings));
  }

  private TruncateOptions truncation(Settings settings) {
    long event = settings.value(maxEventBytes);
    long batch = settings.value(maxBatchBytes);
    // looked at even if nothing is truncated, as kube-apiserver does
    positive(maxEventBytes, "truncate " + backEnd + " max event size", event);
    if (batch < event) {
      throw new FlagException(
          maxBatchBytes.dashed()
              + ", "
              + maxEventBytes.dashed()
              + ": invalid audit truncate "
              + backEnd
              + " max batch size "
              + batch
              + ", must be greater than max event size ("
              + event
              + ")");
    }
    return settings.value(truncate) ? new TruncateOptions(batch, event) : TruncateOptions.OFF;
  }

  private static void positive(Flag<?> flag, String what, Number value) {
    if (value.doubleValue() <= 0) {
      throw new FlagException(
          flag.dashed()
              + ": invalid audit "
              + what
              + " "
              + BigDecimal.valueOf(value.doubleValue()).stripTrailingZeros().toPlainString()
              + ", must be a positive number");
    }
  }

  private String mode(String text) {
    if (AuditMode.of(text).isEmpty()) {
      throw new IllegalArgumentException(
          "invalid audit "
              + backEnd
              + " mode "
              + text
              + ", allowed modes are \""
              + String.join(",", AuditMode.words())
              + "\"");
    }
    return text;
  }

  private static double rate(String text) {
    try {
      return Double.parseDouble(text);
    } catch (NumberFormatException e) {
      throw Values.expected("a number", text);
    }
  }

  private static long bytes(String text) {
    try {
      return Long.parseLong(text);
    } catch (NumberFormatException e) {
      throw Values.expected("a whole number", text);
    }
  }
}
