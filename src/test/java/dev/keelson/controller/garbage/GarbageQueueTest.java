package dev.keelson.controller.garbage;

import static org.assertj.core.api.Assertions.assertThat;

import dev.keelson.api.GroupResource;
import dev.keelson.api.GroupVersion;
import dev.keelson.api.GroupVersionResource;
import dev.keelson.client.DeleteRequest;
import dev.keelson.client.DeleteRequest.Dependents;
import dev.keelson.client.ObjectAddress;
import dev.keelson.client.OwnedObject;
import dev.keelson.client.OwnershipFeed;
import dev.keelson.client.ResourceClient;
import dev.keelson.controller.WorkQueueMetrics;
import dev.keelson.object.ApiObject;
import dev.keelson.object.OwnerReference;
import dev.keelson.registry.client.LocalResourceClient;
import dev.keelson.testing.Eventually;
import dev.keelson.testing.LocalApi;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Which objects the collector looks at, by a feed that the test writes. */
@Timeout(120)
class GarbageQueueTest {

  private static final GroupVersionResource MAPS = GroupVersion.CORE_V1.resource("configmaps");
  private static final String FORMER = "1-2-3";

  private final LocalApi api;
  private final ResourceClient client;
  private final Script script = new Script();
  private final GarbageCollector collector;

  /** How many objects have been queued. */
  private final AtomicInteger queued = new AtomicInteger();

  /** How many looks at an object have ended. */
  private final AtomicInteger ended = new AtomicInteger();

  GarbageQueueTest(@TempDir Path directory) {
    api = LocalApi.open(directory);
    client = new LocalResourceClient(api.catalog(), api.registry());
    collector = new GarbageCollector(api.catalog(), client, script, api.clock());
    collector.queues().getFirst().measure(queue -> new Counting());
    collector.start();
  }

  @AfterEach
  void close() {
    collector.close();
    api.close();
  }

  @Test
  void objectWithOwnersInTheGraph_isNotLookedAt() {
    OwnershipFeed.Listener listener = script.listener();
    listener.changed(owned("early", "e", "root", "r"));
    listener.changed(owned("ofEarly", "oe", "early", "e"));
    listener.complete();
    assertThat(queued).as("the root is not in the graph").hasValue(1);

    listener.changed(owned("middle", "m", "root", "r"));
    assertThat(queued).hasValue(2);
    listener.changed(owned("leaf", "l", "middle", "m"));
    assertThat(queued).as("its owner is there").hasValue(2);
    listener.changed(owned("lost", "x", "middle", FORMER));
    assertThat(queued).as("another object of the name").hasValue(3);

    listener.changed(new OwnedObject(address("middle"), "m", List.of(), true, false, true));
    int before = queued.get();
    listener.changed(owned("late", "y", "middle", "m"));
    assertThat(queued).as("its owner is being deleted").hasValue(before + 1);
  }

  @Test
  void endOfAnOwner_takesItsDependentsAlong_whichWereNotLookedAt() {
    ApiObject leaf = create("leaf");
    OwnershipFeed.Listener listener = script.listener();
    listener.complete();
    listener.changed(owned("middle", FORMER, "root", "r"));
    listener.changed(owned("leaf", leaf.meta().uid(), "middle", FORMER));

    listener.gone(address("middle"));

    awaitGone("leaf");
  }

  @Test
  void ownerThatIsCreatedAgain_losesTheDependentsOfTheFormerOne() {
    ApiObject middle = api.create("v1", "configmaps", "default", map("middle"));
    ApiObject leaf = create("leaf");
    OwnershipFeed.Listener listener = script.listener();
    listener.complete();
    listener.changed(owned("middle", FORMER, "root", "r"));
    listener.changed(owned("leaf", leaf.meta().uid(), "middle", FORMER));

    // the feed of a client may not tell the deletion between
    listener.changed(owned("middle", middle.meta().uid(), "root", "r"));

    awaitGone("leaf");
  }

  /** The deletion of an owner can be read before the feed tells who depends on its dependents. */
  @Test
  void foreground_waitsForTheDependentsThatTheFeedHasNotToldYet() {
    ApiObject root = api.create("v1", "configmaps", "default", map("root"));
    ApiObject middle = create("middle", root);
    ApiObject leaf = create("leaf", middle);
    client.delete(
        MAPS, "default", "root", new DeleteRequest(root.meta().uid(), "", Dependents.FOREGROUND));
    OwnershipFeed.Listener listener = script.listener();
    listener.complete();

    // as they are stored: without blocking, the root would not wait for it
    listener.changed(owned("middle", middle.meta().uid(), "root", root.meta().uid(), true));
    Eventually.assertEventually(() -> assertThat(ended).hasPositiveValue());
    listener.changed(owned("leaf", leaf.meta().uid(), "middle", middle.meta().uid(), true));
    listener.changed(
        new OwnedObject(address("root"), root.meta().uid(), List.of(), true, false, true));

    Eventually.assertEventually(
        () ->
            assertThat(client.get(MAPS, "default", "middle"))
                .get()
                .extracting(found -> found.meta().finalizers())
                .isEqualTo(List.of("foregroundDeletion")));
  }

  private void awaitGone(String name) {
    Eventually.assertEventually(() -> assertThat(client.get(MAPS, "default", name)).isEmpty());
  }

  /** A stored dependent of the former {@code middle}. */
  private ApiObject create(String name) {
    return create(name, "middle", FORMER);
  }

  private ApiObject create(String name, ApiObject owner) {
    return create(name, owner.meta().name(), owner.meta().uid());
  }

  private ApiObject create(String name, String owner, String uid) {
    return api.create(
        "v1",
        "configmaps",
        "default",
        api.object(
            "v1",
            "configmaps",
            "{'metadata':{'name':'"
                + name
                + "','ownerReferences':[{'apiVersion':'v1','kind':'ConfigMap','name':'"
                + owner
                + "','blockOwnerDeletion':true,'uid':'"
                + uid
                + "'}]}}"));
  }

  private ApiObject map(String name) {
    return api.object("v1", "configmaps", "{'metadata':{'name':'" + name + "'}}");
  }

  private static ObjectAddress address(String name) {
    return new ObjectAddress(new GroupResource("", "configmaps"), "default", name);
  }

  private static OwnedObject owned(String name, String uid, String owner, String ownerUid) {
    return owned(name, uid, owner, ownerUid, /* blocks= */ false);
  }

  private static OwnedObject owned(
      String name, String uid, String owner, String ownerUid, boolean blocks) {
    OwnerReference reference = new OwnerReference("v1", "ConfigMap", owner, ownerUid, blocks);
    return new OwnedObject(address(name), uid, List.of(reference), false, false, false);
  }

  /** A feed whose listener the test calls. */
  private static final class Script implements OwnershipFeed {

    private final CompletableFuture<Listener> listener = new CompletableFuture<>();

    @Override
    public void follow(Listener listener) throws InterruptedException {
      this.listener.complete(listener);
      new CountDownLatch(1).await();
    }

    Listener listener() {
      Listener found = listener.join();
      found.restarted();
      return found;
    }
  }

  private final class Counting implements WorkQueueMetrics.Events {

    @Override
    public void added() {
      queued.incrementAndGet();
    }

    @Override
    public void taken(long waitedNanos) {
      // not counted
    }

    @Override
    public void done(long workedNanos) {
      ended.incrementAndGet();
    }

    @Override
    public void retried() {
      // not counted
    }

    @Override
    public void ended() {
      // not counted
    }
  }
}
