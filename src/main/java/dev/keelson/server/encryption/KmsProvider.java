package dev.keelson.server.encryption;

import dev.keelson.controller.ControllerLoop;
import dev.keelson.storage.encryption.TransformationException;
import dev.keelson.storage.encryption.kms.EnvelopeTransformer;
import dev.keelson.storage.encryption.kms.KeyIds;
import dev.keelson.storage.encryption.kms.KeyService;
import dev.keelson.storage.encryption.kms.WriteKey;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.locks.ReentrantLock;
import org.jboss.logging.Logger;
import org.jspecify.annotations.Nullable;

/**
 * A key management service in use: asks for its status, and replaces the seed when it has another
 * key (apiserver pkg/server/options/encryptionconfig, kmsv2PluginProbe). Safe for use by several
 * threads.
 */
final class KmsProvider implements AutoCloseable {

  /*
   * Status is asked every minute while the service is healthy and every ten seconds while it is not, and by health checks; a result is
   * shared for 20 s if it is good and for 3 s if not; as in kube-apiserver, a shared failure of the call is told without the words that
   * the first one to learn of it is told. Each good status moves the end of writes to three minutes after it. When the
   * service fails, reads go on with what is in memory, and writes until that end: so an operator who has changed the key of the
   * service knows that three minutes later nothing is written with the old one.
   *
   * The lock guards `checked`, `failure`, `succeeded` and `version`; `key` is written under it and read without it.
   */

  private static final Logger LOG = Logger.getLogger(KmsProvider.class);

  private static final Duration GOOD_RESULT = Duration.ofSeconds(20);
  private static final Duration BAD_RESULT = Duration.ofSeconds(3);
  private static final Duration INTERVAL = Duration.ofMinutes(1);
  private static final Duration RETRY = Duration.ofSeconds(10);
  private static final Duration WRITES = Duration.ofMinutes(3);

  private final String name;
  private final KeyService service;
  private final InstantSource clock;
  private final EncryptionListener listener;
  private final EnvelopeTransformer transformer;
  private final ControllerLoop loop;

  private final ReentrantLock lock = new ReentrantLock();
  private @Nullable Instant checked;
  private String failure = "";
  private String version = "";
  private volatile @Nullable WriteKey key;

  /**
   * A service that has not been asked yet.
   *
   * @param name the name of the provider
   */
  KmsProvider(String name, KeyService service, InstantSource clock, EncryptionListener listener) {
    this.name = name;
    this.service = service;
    this.clock = clock;
    this.listener = listener;
    transformer = new EnvelopeTransformer(service, name, this::writeKey, clock, listener);
    loop = ControllerLoop.every("kms-" + name, RETRY, this::poll);
  }

  EnvelopeTransformer transformer() {
    return transformer;
  }

  /** Asks for the status once, and then in the background; blocks for two calls at most. */
  void start() {
    poll();
    loop.startAfterInterval();
  }

  @Override
  public void close() {
    loop.close();
    service.close();
  }

  private WriteKey writeKey() {
    WriteKey known = key;
    if (known == null) {
      // what kube-apiserver calls it
      throw new TransformationException("got unexpected nil transformer");
    }
    return known;
  }

  /** Asks for the status unless a good one is less than a minute old. */
  void poll() {
    lock.lock();
    try {
      if (checked != null && failure.isEmpty() && age(checked).compareTo(INTERVAL) < 0) {
        return;
      }
    } finally {
      lock.unlock();
    }
    check().ifPresent(cause -> LOG.warnf("event=kms-unhealthy provider=%s error=%s", name, cause));
  }

  private Duration age(Instant time) {
    return Duration.between(time, clock.instant());
  }

  /** The result of the last status if it is recent, else of another one; empty if it is good. */
  Optional<String> check() {
    lock.lock();
    try {
      Duration valid = failure.isEmpty() ? GOOD_RESULT : BAD_RESULT;
      if (checked == null || age(checked).compareTo(valid) >= 0) {
        String told = ask();
        checked = clock.instant();
        return told.isEmpty() ? Optional.empty() : Optional.of(told);
      }
      return failure.isEmpty() ? Optional.empty() : Optional.of(failure);
    } finally {
      lock.unlock();
    }
  }

  /** Asks for the status, and keeps the failure for those who ask until the next status. */
  private String ask() {
    KeyService.Status status;
    try {
      status = service.status();
    } catch (TransformationException e) {
      failure = e.text();
      return "failed to perform status section of the healthz check for KMS Provider "
          + name
          + ", error: "
          + e.text();
    }
    List<String> errors = errors(status);
    String text = String.join(", ", errors);
    failure =
        errors.isEmpty()
            ? ""
            : "kmsv2 Provider "
                + name
                + " is not healthy, error: "
                + (errors.size() == 1 ? text : "[" + text + "]");
    return failure;
  }

  private List<String> errors(KeyService.Status status) {
    List<String> errors = new ArrayList<>();
    if (!status.healthz().equals("ok")) {
      errors.add("got unexpected healthz status: " + status.healthz());
    }
    if (!status.version().equals("v2") && !status.version().equals("v2beta1")) {
      errors.add("expected KMSv2 API version v2, got " + status.version());
    } else if (version.isEmpty()) {
      version = status.version();
    } else if (!version.equals(status.version())) {
      errors.add(
          "KMSv2 API version should not change after the initial status response version "
              + version
              + ", got "
              + status.version());
    }
    String invalid = WriteKey.keyIdError(status.keyId());
    if (!invalid.isEmpty()) {
      listener.keyRejected(name, status.keyId().isEmpty() ? "empty" : "too_long");
      errors.add(
          "got invalid KMSv2 KeyID hash \"" + KeyIds.hash(status.keyId()) + "\": " + invalid);
    } else {
      listener.keyReported(name, status.keyId());
      rotate(status.keyId()).ifPresent(errors::add);
    }
    return errors;
  }

  /**
   * Extends the time of the seed if the service still has its key, else replaces it. After a
   * failure the seed stays valid until its end.
   */
  private Optional<String> rotate(String keyId) {
    WriteKey known = key;
    // before the call, since it is meant as the upper bound
    Instant expires = clock.instant().plus(WRITES);
    if (known != null && known.keyId().equals(keyId)) {
      key = known.until(expires);
      return Optional.empty();
    }
    String uid = UUID.randomUUID().toString();
    String problem;
    String encryptKey = "";
    try {
      WriteKey next = WriteKey.generate(service, uid, expires, listener);
      if (next.keyId().equals(keyId)) {
        key = next;
        LOG.infof("event=kms-key provider=%s key=%s", name, KeyIds.hash(keyId));
        return Optional.empty();
      }
      encryptKey = next.keyId();
      problem = "<nil>";
    } catch (TransformationException e) {
      problem = e.text();
    }
    return Optional.of(
        "failed to rotate DEK uid=\"%s\", useSeed=true, errState=%s, errGen=%s,"
                .formatted(uid, known == null ? "got unexpected nil transformer" : "<nil>", problem)
            + " statusKeyIDHash=\"%s\", encryptKeyIDHash=\"%s\", stateKeyIDHash=\"%s\","
                .formatted(
                    KeyIds.hash(keyId),
                    KeyIds.hash(encryptKey),
                    known == null ? "" : KeyIds.hash(known.keyId()))
            + " expirationTimestamp="
            // without a state kube-apiserver prints Go's zero time
            + (known == null
                ? "0001-01-01T00:00:00Z"
                : known.expires().truncatedTo(ChronoUnit.SECONDS)));
  }
}
