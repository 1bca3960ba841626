package dev.keelson.controller.discovery;

import dev.keelson.api.GroupResource;
import dev.keelson.api.GroupVersion;
import dev.keelson.client.OwnedObject;
import dev.keelson.client.QuotaFeed;
import dev.keelson.client.informer.EncodedObject;
import dev.keelson.client.informer.InformerType;
import dev.keelson.client.informer.ObjectListener;
import dev.keelson.client.informer.ObjectName;
import dev.keelson.controller.manager.SharedInformers;
import dev.keelson.object.ApiObject;
import dev.keelson.schema.ResourceDefinition;
import dev.keelson.schema.codec.ObjectWriter;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * The feed of the quota controller, made of informers. Those of whole objects, whose updates may
 * lower usage, begin with the first quota.
 */
public final class InformedQuotas implements QuotaFeed {

  private static final InformerType<EncodedObject> QUOTAS = encoded("resourcequotas");

  /** The resources whose updates may lower usage. */
  private static final Map<GroupResource, InformerType<EncodedObject>> UPDATED =
      List.of("pods", "services", "persistentvolumeclaims").stream()
          .collect(
              Collectors.toUnmodifiableMap(
                  plural -> new GroupResource("", plural), InformedQuotas::encoded));

  private final ServedTypes types;
  private final MetadataInformers metadata;
  private final SharedInformers informers;
  private final AtomicBoolean updates = new AtomicBoolean();

  private static InformerType<EncodedObject> encoded(String plural) {
    return new InformerType<>(
        GroupVersion.CORE_V1.resource(plural),
        object -> new EncodedObject(ObjectWriter.json(object.root())),
        List.of());
  }

  /** Not yet following. */
  public InformedQuotas(ServedTypes types, MetadataInformers metadata, SharedInformers informers) {
    this.types = types;
    this.metadata = metadata;
    this.informers = informers;
  }

  /** Waits until the served types are known; to be called before the feed is followed. */
  public void begin() throws InterruptedException {
    types.start();
  }

  @Override
  public void follow(Listener listener) {
    types
        .catalog()
        .onChange(
            (before, after, change) -> {
              if (!change.added().isEmpty()) {
                listener.typesAdded(
                    change.added().stream()
                        .map(ResourceDefinition::groupResource)
                        .collect(Collectors.toSet()));
              }
            });
    informers.of(QUOTAS).listen(new Quotas(listener));
    try {
      metadata.listen(new Deletions(listener));
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  private void followUpdates(Listener listener) {
    if (updates.compareAndSet(false, true)) {
      UPDATED.forEach(
          (resource, type) -> informers.of(type).listen(new Updates(resource, listener)));
    }
  }

  private final class Quotas implements ObjectListener<EncodedObject> {

    private final Listener listener;

    Quotas(Listener listener) {
      this.listener = listener;
    }

    @Override
    public void added(ObjectName name, EncodedObject quota) {
      listener.quotaChanged(name.namespace(), name.name(), () -> Optional.of(quota.decode()));
      followUpdates(listener);
    }

    @Override
    public void updated(ObjectName name, EncodedObject before, EncodedObject after) {
      added(name, after);
    }

    @Override
    public void deleted(ObjectName name, EncodedObject last) {
      listener.quotaChanged(name.namespace(), name.name(), Optional::empty);
    }
  }

  private record Deletions(Listener listener) implements MetadataInformers.Changes {

    @Override
    public void changed(@Nullable OwnedObject before, OwnedObject now) {
      // counted by what admits them
    }

    @Override
    public void gone(OwnedObject last) {
      if (listener.follows(last.address().namespace())) {
        listener.deleted(last.address().resource(), last.address().namespace());
      }
    }
  }

  private record Updates(GroupResource resource, Listener listener)
      implements ObjectListener<EncodedObject> {

    @Override
    public void added(ObjectName name, EncodedObject object) {
      // counted by what admits them
    }

    @Override
    public void updated(ObjectName name, EncodedObject before, EncodedObject after) {
      if (listener.follows(name.namespace()) && listener.followsUpdates(resource)) {
        listener.updated(resource, name.namespace(), new States(before::decode, after::decode));
      }
    }

    @Override
    public void deleted(ObjectName name, EncodedObject last) {
      // the informers of metadata tell it
    }
  }

  private record States(Supplier<ApiObject> first, Supplier<ApiObject> second) implements Update {

    @Override
    public Optional<ApiObject> before() {
      return Optional.of(first.get());
    }

    @Override
    public ApiObject after() {
      return second.get();
    }
  }
}
