package dev.keelson.storage.etcd;

import io.etcd.jetcd.maintenance.StatusResponse;
import java.net.URI;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Predicate;
import org.jboss.logging.Logger;

/**
 * Whether an idle feed may use etcd's progress notifications: only if every endpoint has a version
 * in which they are reliable. Versions are read in the background, and again from time to time,
 * since members can be replaced.
 */
final class ProgressPolicy {

  private static final Logger LOG = Logger.getLogger(ProgressPolicy.class);

  private static final long LOOK_AGAIN_NANOS = Duration.ofMinutes(2).toNanos();
  private static final long TRY_AGAIN_NANOS = Duration.ofSeconds(15).toNanos();

  private final List<URI> endpoints;
  private final Predicate<ServerVersion> believes;
  private final AtomicLong nextLookNanos = new AtomicLong(System.nanoTime());
  private volatile Answer told = Answer.NONE;

  /** What is known of the versions. */
  private enum Answer {
    SOUND,
    UNSOUND,
    NONE
  }

  /**
   * @param believes the versions that tell it soundly
   */
  ProgressPolicy(List<URI> endpoints, Predicate<ServerVersion> believes) {
    this.endpoints = endpoints;
    this.believes = believes;
  }

  /** The current policy; does not block. */
  boolean sound() {
    return told == Answer.SOUND;
  }

  /** Whether an endpoint has a version in which they are not; does not block. */
  boolean unsound() {
    return told == Answer.UNSOUND;
  }

  /** Reads the versions of the endpoints if that is due. */
  void look(Link link) {
    long now = System.nanoTime();
    long due = nextLookNanos.get();
    if (now - due < 0 || !nextLookNanos.compareAndSet(due, now + TRY_AGAIN_NANOS)) {
      return;
    }
    try {
      ask(link);
    } catch (RuntimeException e) {
      // such as when the client is closed just now; without an answer, progress is not believed
      told = Answer.NONE;
      LOG.debug("cannot read the version of etcd", e);
    }
  }

  private void ask(Link link) {
    List<CompletableFuture<Answer>> answers = new ArrayList<>();
    for (URI endpoint : endpoints) {
      answers.add(
          link.status(endpoint)
              .handle((status, failure) -> failure == null ? answer(status) : Answer.NONE));
    }
    CompletableFuture<Void> ignored =
        CompletableFuture.allOf(answers.toArray(CompletableFuture<?>[]::new))
            .thenRun(() -> settle(answers));
  }

  private Answer answer(StatusResponse status) {
    ServerVersion version = ServerVersion.parse(status.getVersion());
    return version != null && believes.test(version) ? Answer.SOUND : Answer.UNSOUND;
  }

  private void settle(List<CompletableFuture<Answer>> answers) {
    List<Answer> known = answers.stream().map(answer -> answer.getNow(Answer.NONE)).toList();
    told =
        known.contains(Answer.UNSOUND)
            ? Answer.UNSOUND
            : known.contains(Answer.NONE) ? Answer.NONE : Answer.SOUND;
    if (told == Answer.SOUND) {
      nextLookNanos.set(System.nanoTime() + LOOK_AGAIN_NANOS);
    }
  }
}
