package dev.keelson.http.simulated;

import dev.keelson.api.ApiException;
import dev.keelson.http.Body;
import java.time.Duration;
import java.util.List;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * The log of a simulated container until its run ends. Its pod is read anew every second: there are
 * few lines, and no thread waits for them. Confined to the channel's event loop, but for the reads.
 */
final class FollowedLog implements Body.LongRunning {

  private static final Duration PAUSE = Duration.ofSeconds(1);

  private final ContainerLog first;
  private final Supplier<ContainerLog> newest;
  private final LogWindow window;
  private int lines;
  private long bytes;
  private boolean gone;

  /**
   * @param newest reads the log anew; may block, and throws an {@link ApiException} without a pod
   */
  FollowedLog(ContainerLog first, Supplier<ContainerLog> newest, LogWindow window) {
    this.first = first;
    this.newest = newest;
    this.window = window;
  }

  @Override
  public void start(Channel channel) {
    channel.onGone(() -> gone = true);
    channel.onShutdown(channel::end);
    tell(channel, first);
  }

  @Override
  public void abandon() {
    // nothing is held
  }

  private void look(Channel channel) {
    if (!gone) {
      Thread unused =
          Thread.startVirtualThread(
              () -> {
                ContainerLog log = read();
                channel.execute(() -> tell(channel, log));
              });
    }
  }

  private @Nullable ContainerLog read() {
    try {
      return newest.get();
    } catch (ApiException _) {
      // the pod is gone, and its log with it
      return null;
    }
  }

  private void tell(Channel channel, @Nullable ContainerLog log) {
    if (gone) {
      return;
    }
    if (log == null || !log.started().equals(first.started())) {
      channel.end();
      return;
    }
    byte[] news = log.bytes(window, lines, bytes);
    lines = log.lines().size();
    bytes += news.length;
    if (news.length > 0) {
      channel.write(List.of(Body.Payload.of(news)));
    }
    boolean full = window.limitBytes() != null && bytes >= window.limitBytes();
    if (log.over() || full) {
      channel.end();
    } else {
      channel.after(PAUSE, () -> look(channel));
    }
  }
}
