package dev.keelson.http.audit;

import java.util.concurrent.Executor;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** The end of a body that outlives its handler. Only the first report counts; any thread. */
public final class BodyEnd {

  private final Consumer<@Nullable Throwable> report;
  private final Executor elsewhere;
  private final AtomicBoolean over = new AtomicBoolean();

  /**
   * @param report gets the defect that ended the body, or null if there was none; may block
   * @param elsewhere runs the report for threads that must not block
   */
  public BodyEnd(Consumer<@Nullable Throwable> report, Executor elsewhere) {
    this.report = report;
    this.elsewhere = elsewhere;
  }

  /** The body is complete, or nobody takes the rest of it. Blocks until that is recorded. */
  void completed() {
    first(null);
  }

  /** A defect has ended the body. Blocks until that is recorded. */
  void broke(Throwable defect) {
    first(defect);
  }

  /** As {@link #completed}, without waiting: for event loops. */
  void completedOnLoop() {
    if (over.compareAndSet(false, true)) {
      elsewhere.execute(() -> report.accept(null));
    }
  }

  /** As {@link #broke}, without waiting: for event loops. */
  void brokeOnLoop(Throwable defect) {
    if (over.compareAndSet(false, true)) {
      elsewhere.execute(() -> report.accept(defect));
    }
  }

  private void first(@Nullable Throwable defect) {
    if (over.compareAndSet(false, true)) {
      report.accept(defect);
    }
  }
}
