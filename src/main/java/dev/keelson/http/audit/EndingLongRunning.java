package dev.keelson.http.audit;

import dev.keelson.http.Body;
import dev.keelson.http.Body.Payload;
import java.time.Duration;
import java.util.List;

/** A live body that reports its end once, however often and on whichever thread it ends. */
public final class EndingLongRunning implements Body.LongRunning {

  private final Body.LongRunning body;
  private final BodyEnd end;

  /**
   * @param end is told once
   */
  public EndingLongRunning(Body.LongRunning body, BodyEnd end) {
    this.body = body;
    this.end = end;
  }

  @Override
  public void start(Body.Channel channel) {
    run(() -> body.start(new ReportingChannel(channel)));
  }

  @Override
  public void abandon() {
    body.abandon();
    end.completedOnLoop();
  }

  /** Runs a step of the body, whose defect ends it: the channel is cut by its owner. */
  private void run(Runnable step) {
    try {
      step.run();
    } catch (RuntimeException | Error e) {
      end.brokeOnLoop(e);
      throw e;
    }
  }

  /** Used on the channel's event loop only, as the channel itself. */
  private final class ReportingChannel implements Body.Channel {
    private final Body.Channel channel;

    ReportingChannel(Body.Channel channel) {
      this.channel = channel;
      channel.onGone(end::completedOnLoop);
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
      channel.onDrain(() -> EndingLongRunning.this.run(action));
    }

    @Override
    public void onGone(Runnable action) {
      channel.onGone(
          () -> {
            EndingLongRunning.this.run(action);
            end.completedOnLoop();
          });
    }

    @Override
    public void onShutdown(Runnable action) {
      channel.onShutdown(() -> EndingLongRunning.this.run(action));
    }

    @Override
    public void end() {
      channel.end();
      end.completedOnLoop();
    }

    @Override
    public void cut() {
      channel.cut();
      end.completedOnLoop();
    }

    @Override
    public void wake(Runnable action) {
      channel.wake(() -> EndingLongRunning.this.run(action));
    }

    @Override
    public void execute(Runnable action) {
      channel.execute(() -> EndingLongRunning.this.run(action));
    }

    @Override
    public void after(Duration delay, Runnable action) {
      channel.after(delay, () -> EndingLongRunning.this.run(action));
    }
  }
}
