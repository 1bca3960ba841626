package dev.keelson.controller.node;

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
import dev.keelson.controller.manager.ControllerContext;
import dev.keelson.object.Node;
import dev.keelson.object.Node.MapNode;
import java.time.Duration;
import java.util.List;

/**
 * Tells each kubelet for how long it may use Secrets and ConfigMaps that it has read, by an
 * annotation of its node (source: Kubernetes' {@code pkg/controller/ttl}).
 */
public final class TtlController implements Controller {

  /** The name of the controller, and of its service account. */
  public static final String NAME = "ttl-controller";

  private final ApiClient client;
  private final Informer<NodeFacts> nodes;
  private final WorkQueue<ObjectName> queue =
      new WorkQueue<>("ttlcontroller", Duration.ofMillis(5), Duration.ofSeconds(1000));
  private final ControllerLoop workers = ControllerLoop.workers("ttl", 1, queue, this::annotate);

  /** What nodes are to tell, in seconds; written by the informer's thread alone. */
  private volatile int seconds;

  /** A controller that has not started. */
  public TtlController(ControllerContext context) {
    this.client = context.client(NAME);
    this.nodes = context.informers().of(NodeFacts.TYPE);
  }

  @Override
  public void start() throws InterruptedException {
    nodes.listen(new NodeChanges());
    nodes.awaitSync();
    workers.start();
  }

  @Override
  public List<WorkQueue<?>> queues() {
    return List.of(queue);
  }

  @Override
  public void close() {
    workers.close();
  }

  private boolean isRight(NodeFacts node) {
    return node.secondsToLive().equals(Integer.toString(seconds));
  }

  private Outcome annotate(ObjectName name) throws InterruptedException {
    NodeFacts node = nodes.get(name).orElse(null);
    if (node == null || isRight(node)) {
      return Outcome.DONE;
    }
    MapNode annotations =
        MapNode.of(NodeFacts.SECONDS_TO_LIVE, Node.text(Integer.toString(seconds)));
    try {
      Written unused =
          client.patch(
              NodeFacts.RESOURCE,
              "",
              name.name(),
              "",
              Patch.STRATEGIC_MERGE,
              MapNode.of("metadata", MapNode.of("annotations", annotations)));
    } catch (ApiException e) {
      if (e.reason() != Reason.NOT_FOUND) {
        throw e;
      }
      // it has gone
    }
    return Outcome.DONE;
  }

  private final class NodeChanges implements ObjectListener<NodeFacts> {

    /** Confined to the informer's thread. */
    private final ClusterSize size = new ClusterSize();

    @Override
    public void added(ObjectName name, NodeFacts node) {
      tell(size.more());
      queue.add(name);
    }

    @Override
    public void updated(ObjectName name, NodeFacts before, NodeFacts after) {
      if (!isRight(after)) {
        queue.add(name);
      }
    }

    @Override
    public void deleted(ObjectName name, NodeFacts last) {
      tell(size.less());
    }

    private void tell(int next) {
      if (seconds != next) {
        seconds = next;
        nodes.list().forEach(node -> queue.add(new ObjectName("", node.name())));
      }
    }
  }
}
