package dev.keelson.http.audit;

import dev.keelson.http.Body;
import dev.keelson.http.Body.Payload;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;

/** A live body that reports its end once, however often and on whichever thread it ends. */
final class AuditedLongRunning implements Body.LongRunning {

  private final Body.LongRunning body;
  private final Runnable ended;
  private final AtomicBoolean over = new AtomicBoolean();

  /**
   * @param ended runs once; on the connection's event loop, or on the thread that abandons the body
   */
  AuditedLongRunning(Body.LongRunning body, Runnable ended) {
    this.body = body;
    this.ended = ended;
  }

  @Override
  public void start(Body.Channel channel) {
    body.start(new ReportingChannel(channel));
  }

  @Override
  public void abandon() {
    body.abandon();
    end();
  }

  private void end() {
    if (over.compareAndSet(false, true)) {
      ended.run();
    }
  }

  /** Used on the channel's event loop only, as the channel itself. */
  private final class ReportingChannel implements Body.Channel {
    private final Body.Channel channel;

    ReportingChannel(Body.Channel channel) {
      this.channel = channel;
      channel.onGone(AuditedLongRunning.this::end);
    }

    @Override
    public void write(List<Payload> events) {
      channel.write(events);
    }

    @Override
    public boolean full() {
      return channel.full();
    }

    @Override
    public void onDrain(Runnable action) {
      channel.onDrain(action);
    }

    @Override
    public void onGone(Runnable action) {
      channel.onGone(
          () -> {
            action.run();
            AuditedLongRunning.this.end();
          });
    }

    @Override
    public void onShutdown(Runnable action) {
      channel.onShutdown(action);
    }

    @Override
    public void end() {
      channel.end();
      AuditedLongRunning.this.end();
    }

    @Override
    public void cut() {
      channel.cut();
      AuditedLongRunning.this.end();
    }

    @Override
    public void wake(Runnable action) {
      channel.wake(action);
    }

    @Override
    public void execute(Runnable action) {
      channel.execute(action);
    }

    @Override
    public void after(Duration delay, Runnable action) {
      channel.after(delay, action);
    }
  }
}
