package dev.keelson.controller.ipam;

import dev.keelson.api.ApiException;
import dev.keelson.api.Reason;
import dev.keelson.client.informer.Informer;
import dev.keelson.client.informer.ObjectListener;
import dev.keelson.client.informer.ObjectName;
import dev.keelson.client.rest.ApiClient;
import dev.keelson.client.rest.ApiClient.Patch;
import dev.keelson.client.rest.Written;
import dev.keelson.controller.Controller;
import dev.keelson.controller.ControllerLoop;
import dev.keelson.controller.ControllerLoop.Outcome;
import dev.keelson.controller.WorkQueue;
import dev.keelson.controller.event.EventRecorder;
import dev.keelson.controller.event.ObjectReference;
import dev.keelson.controller.manager.ControllerContext;
import dev.keelson.object.Node;
import dev.keelson.object.Node.MapNode;
import dev.keelson.value.Cidr;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.jboss.logging.Logger;

/**
 * Gives each node a block of every range of the cluster, from which it takes the addresses of its
 * pods, and uses the block again when the node is deleted (source: Kubernetes' {@code
 * pkg/controller/nodeipam}, the RangeAllocator).
 */
public final class NodeIpamController implements Controller {

  /** The service account of the controller. */
  public static final String NAME = "node-controller";

  /** The component in its Events. */
  private static final String ALLOCATOR = "cidrAllocator";

  private static final Logger LOG = Logger.getLogger(NodeIpamController.class);
  private static final int WORKERS = 4;

  private final ApiClient client;
  private final Informer<NodeCidrs> nodes;
  private final List<NodeBlocks> blocks;
  private final EventRecorder events;
  private final WorkQueue<ObjectName> queue =
      new WorkQueue<>("cidrallocator_node", Duration.ofMillis(5), Duration.ofSeconds(1000));
  private final ControllerLoop workers =
      ControllerLoop.workers("node-ipam", WORKERS, queue, this::allocate);

  /** A controller that has not started. */
  public NodeIpamController(ControllerContext context, NodeRanges ranges) {
    this.client = context.client(NAME);
    this.nodes = context.informers().of(NodeCidrs.TYPE);
    this.events = new EventRecorder(client, ALLOCATOR, context.clock(), context.nanos());
    this.blocks =
        ranges.ranges().stream()
            .map(range -> new NodeBlocks(range.cidr(), range.prefixLength()))
            .toList();
    for (Cidr excluded : ranges.excluded()) {
      for (NodeBlocks each : blocks) {
        boolean unused = each.mark(excluded, true);
      }
    }
  }

  @Override
  public void start() throws InterruptedException {
    events.start();
    nodes.listen(new NodeChanges());
    nodes.awaitSync();
    // before any block is given away
    nodes.list().forEach(node -> mark(node, node.cidrs(), true));
    workers.start();
  }

  @Override
  public List<WorkQueue<?>> queues() {
    return List.of(queue);
  }

  @Override
  public void close() {
    workers.close();
    events.close();
  }

  /**
   * Marks the blocks of a node. Some may be of ranges that the cluster had before: no other node
   * can get these.
   */
  private void mark(NodeCidrs node, List<String> cidrs, boolean taken) {
    for (int i = 0; i < cidrs.size(); i++) {
      Optional<Cidr> cidr = Cidr.tryParse(cidrs.get(i));
      if (i >= blocks.size() || cidr.isEmpty() || !blocks.get(i).mark(cidr.get(), taken)) {
        LOG.warnf("event=node-cidr-out-of-range node=%s cidr=%s", node.name(), cidrs.get(i));
      }
    }
  }

  private Outcome allocate(ObjectName name) throws InterruptedException {
    // the informer may not have seen a block that was given before
    NodeCidrs node =
        client.get(NodeCidrs.RESOURCE, "", name.name()).map(NodeCidrs::of).orElse(null);
    if (node == null || !node.cidrs().isEmpty()) {
      return Outcome.DONE;
    }
    List<String> given = new ArrayList<>(blocks.size());
    for (NodeBlocks each : blocks) {
      Optional<Cidr> block = each.take();
      if (block.isEmpty()) {
        mark(node, given, false);
        tell(node, "CIDRNotAvailable");
        throw new IllegalStateException(
            "failed to allocate cidr from cluster cidr " + each + ": there are none left");
      }
      given.add(block.get().toString());
    }
    give(node, given);
    return Outcome.DONE;
  }

  private void give(NodeCidrs node, List<String> given) throws InterruptedException {
    boolean applied = false;
    try {
      applied = patch(node, given);
    } catch (ApiException e) {
      tell(node, "CIDRAssignmentFailed");
      // it may have been applied: the next look tells
      applied = e.reason() == Reason.SERVER_TIMEOUT || e.reason() == Reason.TIMEOUT;
      throw e;
    } finally {
      if (!applied) {
        mark(node, given, false);
      }
    }
  }

  /** False if the node has gone. */
  private boolean patch(NodeCidrs node, List<String> given) throws InterruptedException {
    MapNode spec =
        MapNode.builder(2)
            .put("podCIDR", Node.text(given.getFirst()))
            .put("podCIDRs", Node.texts(given))
            .build();
    try {
      Written unused =
          client.patch(
              NodeCidrs.RESOURCE,
              "",
              node.name(),
              "",
              Patch.STRATEGIC_MERGE,
              MapNode.of("spec", spec));
      return true;
    } catch (ApiException e) {
      if (e.reason() == Reason.NOT_FOUND) {
        return false;
      }
      throw e;
    }
  }

  private void tell(NodeCidrs node, String what) {
    events.record(
        ObjectReference.of("v1", "Node", "", node.name(), node.uid()),
        EventRecorder.Type.NORMAL,
        what,
        "Node " + node.name() + " status is now: " + what);
  }

  private final class NodeChanges implements ObjectListener<NodeCidrs> {

    @Override
    public void added(ObjectName name, NodeCidrs node) {
      if (node.cidrs().isEmpty()) {
        queue.add(name);
      } else {
        // before a block is given to a node that comes later
        mark(node, node.cidrs(), true);
      }
    }

    @Override
    public void updated(ObjectName name, NodeCidrs before, NodeCidrs after) {
      if (!before.uid().equals(after.uid())) {
        mark(before, before.cidrs(), false);
      }
      if (after.cidrs().isEmpty() || !after.cidrs().equals(before.cidrs())) {
        added(name, after);
      }
    }

    @Override
    public void deleted(ObjectName name, NodeCidrs last) {
      mark(last, last.cidrs(), false);
    }
  }
}
