package dev.keelson.server.flow;

import dev.keelson.controller.ControllerLoop;
import dev.keelson.flow.level.PriorityLevels;
import dev.keelson.flow.rule.FlowConfiguration;
import dev.keelson.flow.rule.FlowSchema;
import dev.keelson.flow.rule.PriorityLevel;
import dev.keelson.object.ApiObject;
import dev.keelson.object.ObjectSink;
import dev.keelson.server.cache.Reflectors;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import org.jboss.logging.Logger;
import org.jspecify.annotations.Nullable;

/**
 * Follows the FlowSchemas and PriorityLevelConfigurations of the store on a thread of its own, so
 * that no request waits for them, and lets the levels lend and borrow every ten seconds.
 */
public final class FlowControlFeed implements AutoCloseable {

  private static final Logger LOG = Logger.getLogger(FlowControlFeed.class);

  /** The kinds of objects of the feed. */
  public enum Kind {
    FLOW_SCHEMA,
    PRIORITY_LEVEL
  }

  private final Reflectors<Kind> types;
  private final PriorityLevels levels;
  private final ControllerLoop loop;
  private final Sink sink = new Sink();
  private volatile Runnable changed = () -> {};
  private boolean following;

  /** Owned by the loop. */
  private @Nullable FlowConfiguration known;

  /** Not yet following. */
  public FlowControlFeed(Reflectors<Kind> types, PriorityLevels levels) {
    this.types = types;
    this.levels = levels;
    this.loop = ControllerLoop.every("flow-levels", PriorityLevels.PERIOD, this::step);
  }

  synchronized void follow(Runnable listener) {
    if (!following) {
      following = true;
      changed = listener;
      Runnable unused = types.listen(loop::signal);
      loop.start();
    }
  }

  private void step() {
    sink.touched = false;
    types.catchUp(sink);
    FlowConfiguration next =
        FlowConfiguration.of(sink.schemas.values(), sink.priorityLevels.values());
    if (next.equals(known)) {
      levels.adjust();
    } else {
      known = next;
      levels.update(next);
    }
    if (sink.touched) {
      changed.run();
    }
  }

  @Override
  public void close() {
    loop.close();
    types.close();
  }

  /** Used by the loop. */
  private static final class Sink implements ObjectSink<Kind> {
    private final Map<String, FlowSchema> schemas = new TreeMap<>();
    private final Map<String, PriorityLevel> priorityLevels = new TreeMap<>();
    private boolean touched;

    @Override
    public void clear(Kind kind) {
      touched = true;
      switch (kind) {
        case FLOW_SCHEMA -> schemas.clear();
        case PRIORITY_LEVEL -> priorityLevels.clear();
      }
    }

    @Override
    public void put(Kind kind, ApiObject object) {
      touched = true;
      switch (kind) {
        case FLOW_SCHEMA -> schemas.put(object.meta().name(), FlowSchema.of(object));
        case PRIORITY_LEVEL -> put(object);
      }
    }

    private void put(ApiObject object) {
      String name = object.meta().name();
      Optional<PriorityLevel> level = PriorityLevel.of(object);
      if (level.isPresent()) {
        priorityLevels.put(name, level.get());
      } else {
        LOG.warnf("event=priority-level-ignored name=%s reason=\"only exempt is exempt\"", name);
        priorityLevels.remove(name);
      }
    }

    @Override
    public void remove(Kind kind, String namespace, String name) {
      touched = true;
      switch (kind) {
        case FLOW_SCHEMA -> schemas.remove(name);
        case PRIORITY_LEVEL -> priorityLevels.remove(name);
      }
    }
  }
}
