package dev.keelson.server.encryption;

import dev.keelson.config.option.EncryptionOptions;
import dev.keelson.controller.ControllerLoop;
import dev.keelson.http.health.HealthCheck;
import dev.keelson.http.health.Metrics;
import dev.keelson.server.lifecycle.StartupException;
import dev.keelson.storage.encryption.ResourceTransformers;
import java.time.Duration;
import java.time.InstantSource;
import java.util.Optional;
import org.jboss.logging.Logger;
import org.jspecify.annotations.Nullable;

/**
 * The encryption at rest of this server: the transformers of the configuration that is in effect.
 * Safe for use by several threads.
 *
 * <p>If the file is reloaded, it is read every second. A changed one replaces the transformers as a
 * whole, once its key management services are healthy; those before are closed when the calls that
 * began with them must have ended. One that is invalid changes nothing and is reported once; one
 * whose services are not healthy is tried again every ten seconds.
 */
public final class EncryptionService implements AutoCloseable {

  private static final Logger LOG = Logger.getLogger(EncryptionService.class);
  private static final Duration INTERVAL = Duration.ofSeconds(1);
  private static final Duration UNHEALTHY_PAUSE = Duration.ofSeconds(10);

  /** How long the services of a changed file may take to become healthy, at the least. */
  private static final Duration HEALTHY = Duration.ofSeconds(10);

  private final EncryptionFile file;
  private final InstantSource clock;
  private final LateListener listener = new LateListener();
  private final ControllerLoop loop =
      ControllerLoop.every("encryption configuration", INTERVAL, this::look);
  private volatile Configured current;

  private volatile @Nullable Reloads reloads;

  /** The digest of the content that was applied or rejected last; used by the loop alone. */
  private String seen;

  /** Is told of reloads, by one thread, and may block it. */
  public interface Reloads {

    /** A configuration is in effect in place of another one. */
    void replaced(ResourceTransformers before, ResourceTransformers after);

    /** The file has been looked at, as it is every second. */
    void looked();
  }

  private EncryptionService(EncryptionOptions options, InstantSource clock) {
    this.clock = clock;
    file = new EncryptionFile(options.file(), options.reload());
    EncryptionFile.Content content = file.read();
    current = configure(content);
    seen = content.digest();
  }

  /**
   * Reads the configuration and asks its key management services for their status; blocks.
   *
   * @throws StartupException if the file cannot be read or is invalid
   */
  public static EncryptionService open(EncryptionOptions options, InstantSource clock) {
    try {
      return new EncryptionService(options, clock);
    } catch (IllegalArgumentException e) {
      throw new StartupException("--encryption-provider-config: " + e.getMessage(), e);
    }
  }

  private Configured configure(EncryptionFile.Content content) {
    Configured made = ConfiguredTransformers.of(file.parse(content), clock, listener);
    made.kms().providers().forEach(KmsProvider::start);
    return made;
  }

  /** Registers the metrics that a server has without encryption, too. */
  public static void declare(Metrics metrics) {
    EncryptionMetrics.declare(metrics.registry());
  }

  /**
   * Starts to follow the file, if it is reloaded.
   *
   * @param metrics takes the metrics from now on
   * @param serverId the identity of this server
   * @param afterReload looks at what a reloaded configuration can read
   */
  public void start(Metrics metrics, String serverId, Reloads afterReload) {
    reloads = afterReload;
    listener.attach(new EncryptionMetrics(metrics, clock, serverId));
    listener.applied(seen);
    if (file.reload()) {
      loop.startAfterInterval();
    }
  }

  @Override
  public void close() {
    loop.close();
    current.kms().close();
  }

  /** The transformers in effect. */
  public ResourceTransformers transformers() {
    return current.transformers();
  }

  /** Whether the file is followed. */
  public boolean follows() {
    return file.reload();
  }

  /**
   * The check {@code kms-providers}; empty without a key management service, unless a reload may
   * bring one.
   */
  public Optional<HealthCheck> health() {
    return file.reload() || !current.kms().providers().isEmpty()
        ? Optional.of(new KmsHealth())
        : Optional.empty();
  }

  private final class KmsHealth implements HealthCheck {

    @Override
    public String name() {
      return "kms-providers";
    }

    @Override
    public Optional<String> failure() {
      return current.kms().failure();
    }
  }

  /** Applies the file if it has changed. */
  void look() throws InterruptedException {
    Reloads told = reloads;
    if (told != null) {
      told.looked();
    }
    String digest = "";
    try {
      EncryptionFile.Content content = file.read();
      digest = content.digest();
      if (!digest.equals(seen)) {
        seen = replace(content);
      }
    } catch (IllegalArgumentException e) {
      if (!digest.equals(seen)) {
        failed(String.valueOf(e.getMessage()));
      }
      seen = digest;
    }
  }

  /** Returns the digest of the content; empty if it must be tried again. */
  private String replace(EncryptionFile.Content content) throws InterruptedException {
    Configured next = configure(content);
    Optional<String> failure = unhealthy(next);
    if (failure.isPresent()) {
      next.kms().close();
      failed("health check for new transformers failed: " + failure.get());
      Thread.sleep(UNHEALTHY_PAUSE);
      return "";
    }
    Configured before = current;
    current = next;
    Reloads told = reloads;
    if (told != null) {
      told.replaced(before.transformers(), next.transformers());
    }
    listener.reloaded("success");
    listener.applied(content.digest());
    LOG.infof("event=encryption-configuration-reloaded file=%s", file.path());
    closeLater(before);
    return content.digest();
  }

  private static Optional<String> unhealthy(Configured next) throws InterruptedException {
    Duration patience = next.grace().compareTo(HEALTHY) > 0 ? next.grace() : HEALTHY;
    long begin = System.nanoTime();
    while (true) {
      Optional<String> failure = next.kms().failure();
      if (failure.isEmpty() || System.nanoTime() - begin >= patience.toNanos()) {
        return failure;
      }
      Thread.sleep(Duration.ofMillis(100));
    }
  }

  private static void closeLater(Configured before) {
    if (before.kms().providers().isEmpty()) {
      return;
    }
    Thread unused =
        Thread.ofVirtual()
            .name("kms-close")
            .start(
                () -> {
                  try {
                    Thread.sleep(before.grace());
                  } catch (InterruptedException e) {
                    Thread.currentThread().interrupt();
                  }
                  before.kms().close();
                });
  }

  private void failed(String cause) {
    listener.reloaded("failure");
    LOG.errorf(
        "event=encryption-configuration-rejected file=%s error=%s; the previous one stays in"
            + " effect",
        file.path(), cause);
  }
}
