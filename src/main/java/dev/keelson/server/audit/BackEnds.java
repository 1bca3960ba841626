package dev.keelson.server.audit;

import dev.keelson.audit.AuditMetrics;
import dev.keelson.audit.AuditMode;
import dev.keelson.audit.AuditPolicy;
import dev.keelson.audit.Auditor;
import dev.keelson.audit.EventSink;
import dev.keelson.audit.EventWriter;
import dev.keelson.audit.Route;
import dev.keelson.audit.delivery.BatchOptions;
import dev.keelson.audit.delivery.BatchSink;
import dev.keelson.audit.delivery.BlockingSink;
import dev.keelson.audit.delivery.GroupCommitSink;
import dev.keelson.audit.delivery.TruncateOptions;
import dev.keelson.audit.delivery.TruncatingSink;
import dev.keelson.audit.delivery.UnionSink;
import dev.keelson.audit.log.LogFileOptions;
import dev.keelson.audit.log.LogTarget;
import dev.keelson.audit.log.LogWriter;
import dev.keelson.audit.log.RotatingFile;
import dev.keelson.audit.log.StreamTarget;
import dev.keelson.audit.policy.PolicyEvaluator;
import dev.keelson.audit.policy.PolicyReader;
import dev.keelson.audit.webhook.BackOff;
import dev.keelson.audit.webhook.WebhookWriter;
import dev.keelson.config.option.AuditOptions;
import dev.keelson.config.option.AuditOptions.Delivery;
import dev.keelson.config.option.AuditOptions.TrailUrl;
import dev.keelson.http.ErrorResponses;
import dev.keelson.http.audit.AuditParts;
import dev.keelson.http.audit.BodyJson;
import dev.keelson.schema.codec.ObjectReader;
import dev.keelson.schema.codec.tree.DecodeException;
import dev.keelson.schema.codec.tree.FieldValidation;
import dev.keelson.schema.codec.tree.TreeBudget;
import dev.keelson.schema.codec.tree.Untyped;
import dev.keelson.server.identity.RemoteKubeconfig;
import dev.keelson.server.lifecycle.FileReloader;
import dev.keelson.server.lifecycle.StartupException;
import dev.keelson.webhook.CallLimits;
import io.micrometer.core.instrument.MeterRegistry;
import io.vertx.core.Vertx;
import java.io.FileDescriptor;
import java.io.FileOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import org.jboss.logging.Logger;
import org.jspecify.annotations.Nullable;

/**
 * The back ends that the flags name, with their policy. Apart from {@link Auditing}, so that a
 * server without audit loads no class of it.
 */
public final class BackEnds {

  private static final Logger LOG = Logger.getLogger(Auditing.class);

  /** How long the webhook may take to answer. */
  private static final Duration WEBHOOK_TIMEOUT = Duration.ofSeconds(30);

  /** So many batches are under way to the webhook at a time. */
  private static final int WEBHOOK_DELIVERIES = 4;

  /** The part of the memory that the buffer of a back end takes at most: a sixteenth. */
  private static final int BUFFER_SHARE = 16;

  // the defaults of --audit-webhook-batch-*, -truncate-* and -initial-backoff
  private static final int SINK_BUFFER = 10_000;
  private static final int SINK_BATCH = 400;
  private static final Duration SINK_WAIT = Duration.ofSeconds(30);
  private static final Duration SINK_BACKOFF = Duration.ofSeconds(10);
  private static final long SINK_BATCH_BYTES = 10 << 20;

  /** The part of the memory that the buffer of an AuditSink takes at most. */
  private static final int SINK_SHARE = 64;

  /** The answer of a sink is not read. */
  private static final CallLimits SINK_LIMITS =
      new CallLimits(WEBHOOK_TIMEOUT, 1 << 20, /* repeatable= */ false);

  /** How long the audit may write what is left after the last request. */
  private static final Duration GRACE = Duration.ofSeconds(10);

  private final UnionSink sink;

  /** Null if AuditSinks are off. */
  private final @Nullable DynamicSinks dynamic;

  /** The log files among the back ends. */
  private final List<LogTarget> targets;

  /** Runs the last stages of streams. */
  private final ExecutorService completions;

  private BackEnds(
      UnionSink sink,
      @Nullable DynamicSinks dynamic,
      List<LogTarget> targets,
      ExecutorService completions) {
    this.sink = sink;
    this.dynamic = dynamic;
    this.targets = List.copyOf(targets);
    this.completions = completions;
  }

  /**
   * Opens and starts the back ends, of which there is at least one, and reads the policy.
   *
   * @param dataDirectory holds the spool of the trail
   * @param vertx connects to the database of the trail
   * @param registry counts the events
   * @param dynamic where AuditSinks come from; null if they are off
   * @throws StartupException if a file cannot be used
   */
  public static Auditing start(
      AuditOptions options,
      Path dataDirectory,
      Vertx vertx,
      FileReloader files,
      BodyJson bodies,
      ErrorResponses errors,
      MeterRegistry registry,
      DynamicSinks.@Nullable Parts dynamic,
      InstantSource clock) {
    AuditMetrics metrics = new CountedAudit(registry);
    List<EventSink> sinks = new ArrayList<>();
    List<LogTarget> targets = new ArrayList<>();
    if (options.log().path() != null) {
      LogTarget target = target(options.log(), clock);
      targets.add(target);
      sinks.add(log(options.log(), target, metrics));
    }
    Path config = options.webhook().configFile();
    if (config != null) {
      sinks.add(webhook(options.webhook(), config, files, metrics));
    }
    OpenedTrail trail = null;
    TrailUrl url = options.trail().url();
    if (url != null) {
      Delivery delivery = options.trail().delivery();
      trail =
          OpenedTrail.open(
              url,
              options.trail(),
              dataDirectory,
              vertx,
              writer -> batched(writer, delivery, 1, metrics),
              metrics,
              clock);
      sinks.add(truncated(trail.sink(), delivery.truncate(), metrics));
    }
    UnionSink sink = new UnionSink(sinks);
    ExecutorService completions =
        Executors.newThreadPerTaskExecutor(Thread.ofVirtual().name("audit-end-", 0).factory());
    DynamicSinks others =
        dynamic == null
            ? null
            : new DynamicSinks(dynamic.feed(), spec -> sink(spec, dynamic, metrics), GRACE);
    Auditor auditor =
        new Auditor(
            sinks.isEmpty() ? null : new Route(policy(options.policyFile(), files), sink),
            others == null ? List::of : others,
            metrics,
            clock);
    BackEnds ends = new BackEnds(sink, others, targets, completions);
    ends.start();
    return new Auditing(
        new AuditParts(auditor, bodies, errors, completions, metrics, clock),
        trail == null ? null : trail.store(),
        targets.isEmpty() ? null : ends::reopen,
        ends::stop);
  }

  /**
   * Reads the policy where no back end does: a malformed one ends the start all the same.
   *
   * @throws StartupException if the policy cannot be read
   */
  public static void check(AuditOptions options, FileReloader files) {
    if (options.policyFile() != null) {
      AuditPolicy unused = policy(options.policyFile(), files);
    }
  }

  private static AuditPolicy policy(@Nullable Path file, FileReloader files) {
    if (file == null) {
      LOG.info("event=audit-policy level=Metadata; no policy file is given");
      return AuditPolicy.METADATA;
    }
    FileReloader.Current<PolicyEvaluator> current =
        files.follow("--audit-policy-file", file, source -> read(source.read(file)));
    return (user, info) -> current.get().evaluate(user, info);
  }

  private static PolicyEvaluator read(String yaml) {
    try {
      Untyped file =
          ObjectReader.untypedYaml(
              yaml.getBytes(StandardCharsets.UTF_8), FieldValidation.WARN, TreeBudget.unbounded());
      PolicyReader.Result result = PolicyReader.read(file.root(), file.problems());
      for (String warning : result.warnings()) {
        LOG.warnf("event=audit-policy-warning warning=%s", warning);
      }
      return result.policy();
    } catch (DecodeException e) {
      throw new IllegalArgumentException("failed decoding: " + e.text(), e);
    }
  }

  private static LogTarget target(AuditOptions.Log log, InstantSource clock) {
    String path = String.valueOf(log.path());
    if (path.equals("-")) {
      return new StreamTarget(new FileOutputStream(FileDescriptor.out));
    }
    RotatingFile file =
        new RotatingFile(
            new LogFileOptions(
                Path.of(path), log.maxAge(), log.maxBackup(), log.maxSize(), log.compress()),
            clock);
    try {
      file.open();
    } catch (IOException e) {
      throw new StartupException("--audit-log-path: cannot open " + path + ": " + e, e);
    }
    return file;
  }

  private static EventSink log(AuditOptions.Log log, LogTarget target, AuditMetrics metrics) {
    Delivery delivery = log.delivery();
    EventWriter writer = new LogWriter(log.format(), target);
    EventSink sink =
        delivery.mode() == AuditMode.BATCH
            ? batched(writer, delivery, 1, metrics)
            : new GroupCommitSink(writer, delivery.mode(), metrics);
    return truncated(sink, delivery.truncate(), metrics);
  }

  private static EventSink webhook(
      AuditOptions.Webhook webhook, Path config, FileReloader files, AuditMetrics metrics) {
    Delivery delivery = webhook.delivery();
    FileReloader.Current<RemoteKubeconfig> remote =
        RemoteKubeconfig.follow(files, "--audit-webhook-config-file", config, WEBHOOK_TIMEOUT);
    EventWriter writer =
        new WebhookWriter(
            "webhook",
            json -> {
              RemoteKubeconfig now = remote.get();
              now.service().deliver(now.address(), json);
            },
            new BackOff(webhook.initialBackoff(), () -> ThreadLocalRandom.current().nextDouble()));
    EventSink sink =
        delivery.mode() == AuditMode.BATCH
            ? batched(writer, delivery, WEBHOOK_DELIVERIES, metrics)
            : new BlockingSink(writer, delivery.mode(), metrics);
    return truncated(sink, delivery.truncate(), metrics);
  }

  /** The back end of an AuditSink, with the defaults of the webhook of the flags. */
  private static EventSink sink(SinkSpec spec, DynamicSinks.Parts parts, AuditMetrics metrics) {
    EventWriter writer =
        new WebhookWriter(
            "dynamic_webhook",
            json -> parts.webhooks().get().deliver(spec.client(), json, SINK_LIMITS),
            new BackOff(SINK_BACKOFF, () -> ThreadLocalRandom.current().nextDouble()));
    long maxBytes = Runtime.getRuntime().maxMemory() / SINK_SHARE;
    return new BatchSink(
        writer,
        new BatchOptions(SINK_BUFFER, SINK_BATCH, SINK_WAIT, spec.throttle()),
        new BatchSink.Limits(SINK_BATCH_BYTES, maxBytes, WEBHOOK_DELIVERIES),
        metrics);
  }

  private static EventSink batched(
      EventWriter writer, Delivery delivery, int deliveries, AuditMetrics metrics) {
    // asked at run time: a native image would keep what its build machine has
    long maxBytes = Runtime.getRuntime().maxMemory() / BUFFER_SHARE;
    return new BatchSink(
        writer,
        delivery.batch(),
        new BatchSink.Limits(delivery.truncate().maxBatchSize(), maxBytes, deliveries),
        metrics);
  }

  private static EventSink truncated(
      EventSink sink, TruncateOptions options, AuditMetrics metrics) {
    return options.equals(TruncateOptions.OFF)
        ? sink
        : new TruncatingSink(sink, options.maxEventSize(), metrics);
  }

  private void start() {
    sink.start();
  }

  private void reopen() {
    targets.forEach(LogTarget::reopen);
  }

  /** Writes what is left, for ten seconds at most. May be called twice. */
  private void stop() {
    long end = System.nanoTime() + GRACE.toNanos();
    completions.shutdown();
    try {
      if (!completions.awaitTermination(GRACE.toNanos() / 2, TimeUnit.NANOSECONDS)) {
        LOG.warn("event=audit-stop some events of ended watches are not written yet");
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
    DynamicSinks others = dynamic;
    if (others != null) {
      others.close();
    }
    sink.stop(Duration.ofNanos(Math.max(0, end - System.nanoTime())));
  }
}
