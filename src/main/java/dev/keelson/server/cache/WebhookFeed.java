package dev.keelson.server.cache;

import dev.keelson.admission.webhook.Step;
import dev.keelson.admission.webhook.Webhook;
import dev.keelson.admission.webhook.WebhookSource;
import dev.keelson.object.ApiObject;
import dev.keelson.object.ObjectSink;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.concurrent.locks.ReentrantLock;

/**
 * The webhooks of the watch cache. The next write on this server has every configuration that it
 * has answered; other servers have it as soon as their feed does.
 */
public final class WebhookFeed implements WebhookSource, AutoCloseable {

  private final Reflectors<Step> configurations;
  private final Webhook.Filters filters;
  private final ReentrantLock lock = new ReentrantLock();

  /** By the name of the configuration; guarded by the lock. */
  private final Map<Step, SortedMap<String, List<Webhook>>> known = new EnumMap<>(Step.class);

  /** All webhooks of a step in order. */
  private volatile Map<Step, List<Webhook>> current = Map.of();

  /**
   * A feed that reads nothing before the first write.
   *
   * @param filters makes the filters of webhooks
   */
  public WebhookFeed(Reflectors<Step> configurations, Webhook.Filters filters) {
    this.configurations = configurations;
    this.filters = filters;
    for (Step step : Step.values()) {
      known.put(step, new TreeMap<>());
    }
  }

  @Override
  public List<Webhook> webhooks(Step step) {
    configurations.catchUp(new Changes());
    return current.getOrDefault(step, List.of());
  }

  /** Applies changes, one call of {@link Reflectors#catchUp} at a time. */
  private final class Changes implements ObjectSink<Step> {

    @Override
    public void clear(Step step) {
      change(step, Map::clear);
    }

    @Override
    public void put(Step step, ApiObject object) {
      String name = object.meta().name();
      List<Webhook> webhooks = Webhook.of(name, object.root(), filters);
      change(step, byName -> byName.put(name, webhooks));
    }

    @Override
    public void remove(Step step, String namespace, String name) {
      change(step, byName -> byName.remove(name));
    }

    private void change(
        Step step, java.util.function.Consumer<SortedMap<String, List<Webhook>>> edit) {
      lock.lock();
      try {
        SortedMap<String, List<Webhook>> byName = known.get(step);
        if (byName == null) {
          throw new IllegalStateException("no webhooks of " + step);
        }
        edit.accept(byName);
        List<Webhook> all = new ArrayList<>();
        byName.values().forEach(all::addAll);
        Map<Step, List<Webhook>> next = new EnumMap<>(Step.class);
        next.putAll(current);
        next.put(step, List.copyOf(all));
        current = next;
      } finally {
        lock.unlock();
      }
    }
  }

  @Override
  public void close() {
    configurations.close();
  }
}
