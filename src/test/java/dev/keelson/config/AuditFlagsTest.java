package dev.keelson.config;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.keelson.audit.AuditMode;
import dev.keelson.audit.delivery.BatchOptions;
import dev.keelson.audit.delivery.BatchOptions.Throttle;
import dev.keelson.audit.delivery.TruncateOptions;
import dev.keelson.audit.log.LogFormat;
import dev.keelson.config.flag.FlagException;
import dev.keelson.config.option.AuditOptions;
import dev.keelson.config.option.AuditOptions.Delivery;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The defaults of the contract's table, the effect of each flag, and kube-apiserver's refusals. */
class AuditFlagsTest {

  @Test
  void defaults_areThoseOfTheContract() {
    AuditOptions options = options("--audit-log-path=");

    assertThat(options.isOn()).isFalse();
    assertThat(options.policyFile()).isNull();
    assertThat(options.log())
        .isEqualTo(
            new AuditOptions.Log(
                null,
                LogFormat.JSON,
                "audit.k8s.io/v1",
                0,
                0,
                0,
                false,
                new Delivery(
                    AuditMode.BLOCKING,
                    new BatchOptions(10_000, 1, Duration.ZERO, null),
                    TruncateOptions.OFF)));
    assertThat(options.webhook())
        .isEqualTo(
            new AuditOptions.Webhook(
                null,
                "audit.k8s.io/v1",
                Duration.ofSeconds(10),
                new Delivery(
                    AuditMode.BATCH,
                    new BatchOptions(10_000, 400, Duration.ofSeconds(30), new Throttle(10, 15)),
                    TruncateOptions.OFF)));
  }

  @Test
  void dynamicConfiguration_needsItsGate() {
    assertThat(
            options("--audit-dynamic-configuration", "--feature-gates=DynamicAuditing=true").isOn())
        .isTrue();
    assertThatThrownBy(() -> options("--audit-dynamic-configuration"))
        .hasMessageContaining(
            "--audit-dynamic-configuration needs --feature-gates=DynamicAuditing=true");
  }

  @Test
  void trail_hasItsDefaults() {
    assertThat(options("--audit-log-path=").trail().url()).isNull();
    assertThat(options("--audit-trail=sqlite:/var/lib/trail.db").trail())
        .isEqualTo(
            new AuditOptions.Trail(
                new AuditOptions.TrailUrl.Sqlite(Path.of("/var/lib/trail.db")),
                Duration.ofDays(90),
                268_435_456,
                new Delivery(
                    AuditMode.BATCH,
                    new BatchOptions(10_000, 400, Duration.ofMillis(100), null),
                    new TruncateOptions(10_485_760, 102_400))));
  }

  @Test
  void trail_inPostgresql_keepsItsPasswordOutOfTexts() {
    AuditOptions.TrailUrl url =
        options("--audit-trail=postgresql://u:secret@db/audit").trail().url();

    assertThat(url)
        .isEqualTo(new AuditOptions.TrailUrl.Postgresql("postgresql://u:secret@db/audit"));
    assertThat(String.valueOf(url)).doesNotContain("secret");
  }

  @Test
  void trailFlags_areMapped() {
    AuditOptions options =
        options(
            "--audit-trail=sqlite:trail.db",
            "--audit-trail-retention=48h",
            "--audit-trail-spool-size=1048576",
            "--audit-trail-mode=blocking-strict",
            "--audit-trail-batch-buffer-size=4",
            "--audit-trail-batch-max-size=5",
            "--audit-trail-batch-max-wait=6s",
            "--audit-trail-batch-throttle-enable",
            "--audit-trail-batch-throttle-qps=0.5",
            "--audit-trail-batch-throttle-burst=8",
            "--audit-trail-truncate-enabled=false");

    assertThat(options.isOn()).isTrue();
    assertThat(options.trail())
        .isEqualTo(
            new AuditOptions.Trail(
                new AuditOptions.TrailUrl.Sqlite(Path.of("trail.db")),
                Duration.ofDays(2),
                1_048_576,
                new Delivery(
                    AuditMode.BLOCKING_STRICT,
                    new BatchOptions(4, 5, Duration.ofSeconds(6), new Throttle(0.5, 8)),
                    TruncateOptions.OFF)));
  }

  @Test
  void noFlag_isNoOptions() {
    assertThat(((Flags.Wish.Run) new Flags().read(List.of(), Map.of())).options().audit()).isNull();
  }

  @Test
  void truncation_hasTheContractsLimits() {
    assertThat(options("--audit-log-truncate-enabled").log().delivery().truncate())
        .isEqualTo(new TruncateOptions(10_485_760, 102_400));
    assertThat(options("--audit-webhook-truncate-enabled").webhook().delivery().truncate())
        .isEqualTo(new TruncateOptions(10_485_760, 102_400));
  }

  @Test
  void logFlags_areMapped() {
    AuditOptions.Log log =
        options(
                "--audit-log-path=-",
                "--audit-log-format=legacy",
                "--audit-log-mode=batch",
                "--audit-log-maxage=1",
                "--audit-log-maxbackup=2",
                "--audit-log-maxsize=3",
                "--audit-log-compress",
                "--audit-log-batch-buffer-size=4",
                "--audit-log-batch-max-size=5",
                "--audit-log-batch-max-wait=6s",
                "--audit-log-batch-throttle-enable",
                "--audit-log-batch-throttle-qps=0.5",
                "--audit-log-batch-throttle-burst=8",
                "--audit-log-truncate-enabled",
                "--audit-log-truncate-max-batch-size=10",
                "--audit-log-truncate-max-event-size=9")
            .log();

    assertThat(log)
        .isEqualTo(
            new AuditOptions.Log(
                "-",
                LogFormat.LEGACY,
                "audit.k8s.io/v1",
                1,
                2,
                3,
                true,
                new Delivery(
                    AuditMode.BATCH,
                    new BatchOptions(4, 5, Duration.ofSeconds(6), new Throttle(0.5, 8)),
                    new TruncateOptions(10, 9))));
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "--audit-log-mode=none | invalid argument \"none\" for \"--audit-log-mode\" flag:"
            + " invalid audit log mode none, allowed modes are"
            + " \"batch,blocking,blocking-strict\"",
        "--audit-log-format=xml | invalid argument \"xml\" for \"--audit-log-format\" flag:"
            + " invalid audit log format xml, allowed"
            + " formats are \"legacy,json\"",
        "--audit-log-version=audit.k8s.io/v1beta1 | invalid argument \"audit.k8s.io/v1beta1\" for"
            + " \"--audit-log-version\" flag: invalid group version, allowed versions are"
            + " [\"audit.k8s.io/v1\"]",
        "--audit-log-maxage=-1 | invalid argument \"-1\" for \"--audit-log-maxage\" flag:"
            + " --audit-log-maxage -1 can't be a negative"
            + " number",
        "--audit-webhook-batch-buffer-size=0 | --audit-webhook-batch-buffer-size: invalid audit"
            + " batch webhook buffer size 0, must be a positive number",
        "--audit-webhook-batch-max-size=0 | --audit-webhook-batch-max-size: invalid audit batch"
            + " webhook max batch size 0, must be a positive number",
        "--audit-webhook-batch-throttle-qps=0 | --audit-webhook-batch-throttle-qps: invalid audit"
            + " batch webhook throttle QPS 0, must be a positive number",
        "--audit-webhook-batch-throttle-qps=-1.5 | --audit-webhook-batch-throttle-qps: invalid"
            + " audit batch webhook throttle QPS -1.5, must be a positive number",
        "--audit-webhook-mode=foo | invalid argument \"foo\" for \"--audit-webhook-mode\" flag:"
            + " invalid audit webhook mode foo, allowed modes are"
            + " \"batch,blocking,blocking-strict\"",
        "--audit-webhook-truncate-max-event-size=-1 | --audit-webhook-truncate-max-event-size:"
            + " invalid audit truncate webhook max event size -1, must be a positive number",
        "--audit-webhook-truncate-max-batch-size=1 | --audit-webhook-truncate-max-batch-size,"
            + " --audit-webhook-truncate-max-event-size: invalid audit truncate webhook max batch"
            + " size 1, must be greater than max event size (102400)",
        "--audit-webhook-batch-throttle-burst=0 | --audit-webhook-batch-throttle-burst: invalid"
            + " audit batch webhook throttle burst 0, must be a positive number",
        "--audit-trail=mysql://u:secret@h/db | --audit-trail: expected postgresql://... or"
            + " sqlite:FILE",
        "--audit-trail=sqlite: | --audit-trail: expected postgresql://... or" + " sqlite:FILE",
        "--audit-trail-spool-size=1 | invalid argument \"1\" for \"--audit-trail-spool-size\" flag:"
            + " at least 1048576 is"
            + " expected, found \"1\"",
        "--audit-policy-file=/nope | --audit-policy-file: file /nope does not exist",
        "--audit-webhook-config-file=/nope | --audit-webhook-config-file: file /nope does not"
            + " exist",
      })
  void wrongValue_isRefused(String flag, String message) {
    assertThatThrownBy(() -> options(flag)).isInstanceOf(FlagException.class).hasMessage(message);
  }

  @Test
  void truncatedBatchSmallerThanAnEvent_isRefused() {
    assertThatThrownBy(
            () -> options("--audit-log-truncate-enabled", "--audit-log-truncate-max-batch-size=5"))
        .hasMessage(
            "--audit-log-truncate-max-batch-size, --audit-log-truncate-max-event-size: invalid"
                + " audit truncate log max batch size 5, must be greater than max event size"
                + " (102400)");
  }

  @Test
  void negativeBufferOfTheLog_isRefusedInModeBatch() {
    assertThatThrownBy(() -> options("--audit-log-mode=batch", "--audit-log-batch-buffer-size=-3"))
        .hasMessage(
            "--audit-log-batch-buffer-size: invalid audit batch log buffer size -3, must be a"
                + " positive number");
  }

  @Test
  void batchOptions_areNotLookedAtInOtherModes() {
    assertThat(options("--audit-log-batch-buffer-size=0").log().delivery().mode())
        .isEqualTo(AuditMode.BLOCKING);
  }

  private static AuditOptions options(String... flags) {
    List<String> arguments = new ArrayList<>(List.of(flags));
    return Objects.requireNonNull(
        ((Flags.Wish.Run) new Flags().read(arguments, Map.of())).options().audit());
  }
}
