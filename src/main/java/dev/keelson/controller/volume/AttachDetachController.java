package dev.keelson.controller.volume;

import dev.keelson.api.ApiException;
import dev.keelson.client.DeleteRequest;
import dev.keelson.client.informer.Informer;
import dev.keelson.client.informer.NameListener;
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
import dev.keelson.controller.event.EventRecorder.Type;
import dev.keelson.controller.manager.ControllerContext;
import dev.keelson.controller.volume.NeededVolumes.Needed;
import dev.keelson.object.ApiObject;
import dev.keelson.object.Node;
import dev.keelson.object.Node.Items;
import dev.keelson.object.Node.MapNode;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.BiConsumer;
import java.util.function.LongSupplier;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * Asks CSI drivers by VolumeAttachments to attach the volumes of the pods of a node and to detach
 * those of no pod, and tells the node what is attached (source: {@code
 * pkg/controller/volume/attachdetach}). Nodes whose kubelet attaches volumes itself are left alone.
 */
public final class AttachDetachController implements Controller {
  /*
   * The item of the queue is a node: a change of a pod, claim, volume, attachment or driver queues
   * the nodes whose volumes it may change, and each look at a node compares its pods with its
   * attachments. A volume that no pod needs is detached when the kubelet has unmounted it
   * (volumesInUse); of a node that is not well after six minutes, of one that is out of service at
   * once. It goes from volumesAttached before, so that the kubelet does not mount it meanwhile.
   */

  /** The name in {@code --controllers}. */
  public static final String NAME = "persistentvolume-attach-detach-controller";

  private static final String ACCOUNT = "attachdetach-controller";
  private static final Duration LONGEST_UNMOUNT = Duration.ofMinutes(6);
  private static final int WORKERS = 5;
  private static final Duration FIRST_PAUSE = Duration.ofMillis(500);
  private static final Duration LONGEST_PAUSE = Duration.ofMinutes(2);

  private final ApiClient client;
  private final EventRecorder events;
  private final LongSupplier nanos;
  private final Informer<AttachableNode> nodes;
  private final Informer<AttachmentFacts> attachments;
  private final NeededVolumes volumes;
  private final WorkQueue<ObjectName> queue =
      new WorkQueue<>("attach_detach", FIRST_PAUSE, LONGEST_PAUSE);
  private final ControllerLoop workers =
      ControllerLoop.workers("attach-detach", WORKERS, queue, this::reconcile);

  /** Since when no pod needs an attachment, by its uid; of the monotonic clock. */
  private final Map<String, Long> unneeded = new ConcurrentHashMap<>();

  /**
   * By the name of a node what was told last of those attachments that its pods wait for, by their
   * names. The inner maps are confined to the worker that has the node.
   */
  private final Map<String, Map<String, String>> told = new ConcurrentHashMap<>();

  /** Not yet started. */
  public AttachDetachController(ControllerContext context) {
    client = context.client(ACCOUNT);
    nanos = context.nanos();
    events = new EventRecorder(client, ACCOUNT, context.clock(), nanos);
    nodes = context.informers().of(AttachableNode.TYPE);
    attachments = context.informers().of(AttachmentFacts.TYPE);
    volumes = new NeededVolumes(context.informers());
  }

  @Override
  public void start() throws InterruptedException {
    nodes.awaitSync();
    attachments.awaitSync();
    volumes.awaitSync();
    events.start();
    nodes.listen(new Changes<>((name, node) -> queue.add(name)));
    volumes.pods.listen(new Changes<>((name, pod) -> queuePod(pod)));
    volumes.claims.listen(
        NameListener.ofPresent(name -> queueAll(volumes.nodesOf(name.toString()))));
    volumes.volumes.listen(
        NameListener.ofPresent(name -> queueAll(volumes.nodesOfVolume(name.name()))));
    volumes.drivers.listen(
        NameListener.ofAny(name -> nodes.list().forEach(node -> queue.add(named(node.name())))));
    attachments.listen(new Changes<>((name, attachment) -> queueAttachment(attachment)));
    attachments.listen(
        ObjectListener.ofDeletions(
            (name, last) -> {
              Long unused = unneeded.remove(last.uid());
            }));
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

  private static ObjectName named(String name) {
    return new ObjectName("", name);
  }

  private void queueAll(Set<String> names) {
    names.forEach(name -> queue.add(named(name)));
  }

  private void queuePod(VolumePod pod) {
    if (!pod.claims().isEmpty() && !pod.node().isEmpty()) {
      queue.add(named(pod.node()));
    }
  }

  /** Other nodes may wait for the volume. */
  private void queueAttachment(AttachmentFacts attachment) {
    queue.add(named(attachment.node()));
    queueAll(volumes.nodesOfVolume(attachment.volume()));
  }

  private Outcome reconcile(ObjectName name) throws InterruptedException {
    AttachableNode node = nodes.get(name).orElse(null);
    Map<String, Needed> needed = node == null || !node.managed() ? Map.of() : volumes.of(node);
    if (needed.isEmpty()) {
      Map<String, String> unused = told.remove(name.name());
    }
    if (node != null && !node.managed()) {
      return Outcome.DONE;
    }
    try {
      reconcile(name.name(), node, needed);
      return Outcome.DONE;
    } catch (ApiException e) {
      return switch (e.reason()) {
        // the informers are behind
        case ALREADY_EXISTS, CONFLICT, NOT_FOUND -> Outcome.RETRY;
        default -> throw e;
      };
    }
  }

  private void reconcile(String name, @Nullable AttachableNode node, Map<String, Needed> needed)
      throws InterruptedException {
    Map<String, AttachmentFacts> present = new HashMap<>();
    List<AttachmentFacts> leaving = new ArrayList<>();
    Set<String> attached = new TreeSet<>();
    for (AttachmentFacts each : attachments.by(AttachmentFacts.BY_NODE, name)) {
      present.put(each.name(), each);
      if (needed.containsKey(each.name())) {
        Long unused = unneeded.remove(each.uid());
      } else if (mayLeave(each, node)) {
        leaving.add(each);
        continue;
      }
      String unique = volumes.uniqueName(each);
      if (each.attached() && !each.deleting() && !unique.isEmpty()) {
        attached.add(unique);
      }
    }
    if (node != null) {
      tellNode(node, List.copyOf(attached));
    }
    for (AttachmentFacts each : leaving) {
      detach(each);
    }
    if (!needed.isEmpty()) {
      Map<String, String> said = told.computeIfAbsent(name, _ -> new HashMap<>());
      said.keySet().retainAll(needed.keySet());
      for (Map.Entry<String, Needed> each : needed.entrySet()) {
        attach(name, each.getKey(), each.getValue(), present.get(each.getKey()), said);
      }
    }
  }

  /** Whether a volume that no pod needs can be detached now; else it is looked at again. */
  private boolean mayLeave(AttachmentFacts attachment, @Nullable AttachableNode node) {
    if (attachment.deleting() || attachment.volume().isEmpty()) {
      return false;
    }
    long now = nanos.getAsLong();
    long since = unneeded.computeIfAbsent(attachment.uid(), uid -> now);
    // nobody knows what a node has mounted that is not there
    if (node != null
        && (node.outOfService() || !node.inUse().contains(volumes.uniqueName(attachment)))) {
      return true;
    }
    if (node != null && node.ready()) {
      return false;
    }
    Duration left = LONGEST_UNMOUNT.minusNanos(now - since);
    if (left.isPositive()) {
      queue.addAfter(named(attachment.node()), left);
      return false;
    }
    return true;
  }

  private void tellNode(AttachableNode node, List<String> attached) throws InterruptedException {
    if (attached.equals(node.attached().stream().sorted().toList())) {
      return;
    }
    List<Node> entries = new ArrayList<>();
    for (String name : attached) {
      entries.add(MapNode.of("name", Node.text(name)).with("devicePath", Node.text("")));
    }
    Written unused =
        client.patch(
            AttachableNode.RESOURCE,
            "",
            node.name(),
            "status",
            Patch.MERGE,
            MapNode.of("metadata", MapNode.of("uid", Node.text(node.uid())))
                .with("status", MapNode.of("volumesAttached", new Items(entries))));
  }

  private void detach(AttachmentFacts attachment) throws InterruptedException {
    ApiObject node = client.get(AttachableNode.RESOURCE, "", attachment.node()).orElse(null);
    // the kubelet may have begun to mount it again
    if (node == null || mayLeave(attachment, AttachableNode.of(node))) {
      client.delete(
          AttachmentFacts.RESOURCE,
          "",
          attachment.name(),
          new DeleteRequest(attachment.uid(), "", DeleteRequest.Dependents.DEFAULT));
    }
  }

  /**
   * Attaches a volume, or tells its pods how that goes.
   *
   * @param attachment null if there is none yet
   * @param said what was told last of the attachments of the node
   */
  private void attach(
      String node,
      String name,
      Needed needed,
      @Nullable AttachmentFacts attachment,
      Map<String, String> said)
      throws InterruptedException {
    String volume = needed.facts().name();
    String problem = attachment == null ? elsewhere(node, needed) : problem(attachment, volume);
    if (!problem.isEmpty()) {
      if (!problem.equals(said.put(name, problem))) {
        tell(needed, Type.WARNING, "FailedAttachVolume", problem);
      }
    } else if (attachment == null) {
      Written unused =
          client.create(
              AttachmentFacts.RESOURCE, AttachmentFacts.request(needed.volume(), volume, node));
      String unused2 = said.put(name, "");
    } else if (attachment.attached() && said.remove(name) != null) {
      tell(
          needed,
          Type.NORMAL,
          "SuccessfulAttachVolume",
          "AttachVolume.Attach succeeded for volume \"%s\" ".formatted(volume));
    }
  }

  private static String problem(AttachmentFacts attachment, String volume) {
    return attachment.attached() || attachment.error().isEmpty()
        ? ""
        : "AttachVolume.Attach failed for volume \"%s\" : %s".formatted(volume, attachment.error());
  }

  /** Why a volume cannot come to a node, because it is at another one; empty if it can. */
  private String elsewhere(String node, Needed needed) {
    String volume = needed.facts().name();
    Set<String> others =
        attachments.by(AttachmentFacts.BY_VOLUME, volume).stream()
            .map(AttachmentFacts::node)
            .filter(each -> !each.equals(node))
            .collect(Collectors.toSet());
    if (needed.isForMany() || others.isEmpty()) {
      return "";
    }
    List<String> users = volumes.users(needed.facts(), others);
    return "Multi-Attach error for volume \"%s\" %s"
        .formatted(
            volume,
            users.isEmpty()
                ? "Volume is already exclusively attached to one node and can't be attached to"
                    + " another"
                : "Volume is already used by pod(s) " + String.join(", ", users));
  }

  private void tell(Needed needed, Type type, String reason, String message) {
    needed.pods().forEach(pod -> events.record(pod.reference(), type, reason, message));
  }

  /** Passes on what appeared, changed in what is kept of it, or went. */
  private record Changes<T>(BiConsumer<ObjectName, T> look) implements ObjectListener<T> {

    @Override
    public void added(ObjectName name, T object) {
      look.accept(name, object);
    }

    @Override
    public void updated(ObjectName name, T before, T after) {
      if (!before.equals(after)) {
        look.accept(name, before);
        look.accept(name, after);
      }
    }

    @Override
    public void deleted(ObjectName name, T last) {
      look.accept(name, last);
    }
  }
}
