package dev.keelson.server.cache;

import dev.keelson.object.ApiObject;
import dev.keelson.object.Node;
import dev.keelson.object.Node.MapNode;
import dev.keelson.object.ObjectSink;
import dev.keelson.registry.service.AddressBlock;
import dev.keelson.registry.service.ServiceCidrs;
import dev.keelson.value.Cidr;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentSkipListMap;

/**
 * The ranges of the ServiceCIDRs that are ready, from the watch cache. Without changes a read costs
 * a few volatile reads.
 */
public final class ServiceCidrFeed implements ServiceCidrs, AutoCloseable {

  /** The kinds of objects of the feed. */
  public enum Kind {
    SERVICE_CIDR
  }

  private final Reflectors<Kind> reflectors;
  private final Sink sink = new Sink();

  /** The ranges of each ServiceCIDR that is ready, by name. */
  private final Map<String, List<AddressBlock>> byName = new ConcurrentSkipListMap<>();

  private volatile List<AddressBlock> ready = List.of();

  public ServiceCidrFeed(Reflectors<Kind> reflectors) {
    this.reflectors = reflectors;
  }

  @Override
  public List<AddressBlock> ready() {
    reflectors.catchUp(sink);
    return ready;
  }

  @Override
  public void close() {
    reflectors.close();
  }

  /**
   * Whether addresses may be allocated from a ServiceCIDR: without a condition it is ready, so that
   * a cluster without the controller has addresses.
   */
  static boolean isReady(ApiObject object) {
    if (object.meta().deleting()) {
      return false;
    }
    for (MapNode condition : object.root().map("status").maps("conditions")) {
      if (condition.text("type").equals("Ready")) {
        return condition.text("status").equals("True");
      }
    }
    return true;
  }

  private void publish() {
    Set<AddressBlock> blocks = new LinkedHashSet<>();
    byName.values().forEach(blocks::addAll);
    ready = List.copyOf(blocks);
  }

  private final class Sink implements ObjectSink<Kind> {

    @Override
    public void clear(Kind kind) {
      byName.clear();
      publish();
    }

    @Override
    public void put(Kind kind, ApiObject object) {
      List<AddressBlock> blocks = new ArrayList<>();
      if (isReady(object)) {
        for (Node item : object.root().map("spec").items("cidrs")) {
          if (item instanceof Node.Text text) {
            Cidr.tryParse(text.value()).map(AddressBlock::new).ifPresent(blocks::add);
          }
        }
      }
      byName.put(object.meta().name(), blocks);
      publish();
    }

    @Override
    public void remove(Kind kind, String namespace, String name) {
      byName.remove(name);
      publish();
    }
  }
}
