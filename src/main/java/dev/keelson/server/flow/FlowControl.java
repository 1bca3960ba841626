package dev.keelson.server.flow;

import dev.keelson.http.Route;
import dev.keelson.http.fairness.PriorityAndFairness;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Priority and fairness of this server.
 *
 * @param filter the filter; null if it is off
 * @param feed what configures it; null if it is off
 * @param dumps its debug endpoints; null if it is off
 */
public record FlowControl(
    @Nullable PriorityAndFairness filter,
    @Nullable FlowControlFeed feed,
    @Nullable FlowControlDumps dumps)
    implements AutoCloseable {

  /** Without priority and fairness. */
  public static final FlowControl OFF = new FlowControl(null, null, null);

  /**
   * Begins to follow the stored objects; further calls do nothing. Called when the default objects
   * have been created: until then, requests are classified by the defaults themselves.
   *
   * @param changed runs after each change of them; must not block
   */
  public void follow(Runnable changed) {
    if (feed != null) {
      feed.follow(changed);
    }
  }

  /** The routes of its debug endpoints. */
  public List<Route> routes() {
    return dumps == null ? List.of() : List.of(dumps);
  }

  @Override
  public void close() {
    if (feed != null) {
      feed.close();
    }
  }
}
