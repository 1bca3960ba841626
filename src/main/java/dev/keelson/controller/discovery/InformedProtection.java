package dev.keelson.controller.discovery;

import dev.keelson.api.GroupVersion;
import dev.keelson.client.informer.EncodedObject;
import dev.keelson.client.informer.InformerType;
import dev.keelson.client.informer.NameListener;
import dev.keelson.client.rest.ApiClient;
import dev.keelson.client.rest.ApiClient.Selection;
import dev.keelson.controller.manager.SharedInformers;
import dev.keelson.controller.storage.ProtectionSource;
import dev.keelson.controller.workload.PodFacts;
import dev.keelson.object.ApiObject;
import dev.keelson.object.ObjectSink;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import java.util.function.Supplier;

/**
 * The changes of attributes classes, claims, volumes and pods, made of informers; pods are read
 * when they matter.
 */
public final class InformedProtection implements ProtectionSource {

  private static final Map<Kind, InformerType<EncodedObject>> TYPES = types();

  private final SharedInformers informers;
  private final ApiClient reader;
  private final InformedObjects<Kind> objects;

  private static Map<Kind, InformerType<EncodedObject>> types() {
    Map<Kind, InformerType<EncodedObject>> types = new EnumMap<>(Kind.class);
    for (Kind kind : Kind.values()) {
      types.put(kind, InformedObjects.type(kind.resource()));
    }
    return types;
  }

  /**
   * Not yet following.
   *
   * @param reader may list pods
   */
  public InformedProtection(SharedInformers informers, ApiClient reader) {
    this.informers = informers;
    this.reader = reader;
    this.objects = new InformedObjects<>(informers, TYPES);
  }

  /**
   * Waits until all claims and volumes are known: before, every class looks unused. Classes are not
   * waited for, since a server may not serve them.
   */
  public void awaitSync() throws InterruptedException {
    for (Map.Entry<Kind, InformerType<EncodedObject>> type : TYPES.entrySet()) {
      if (type.getKey() != Kind.CLASSES) {
        informers.of(type.getValue()).awaitSync();
      }
    }
  }

  @Override
  public void listen(Runnable changed) {
    objects.listen(changed);
  }

  @Override
  public void catchUp(ObjectSink<Kind> sink) {
    objects.catchUp(sink);
  }

  @Override
  public void listenToPods(Consumer<String> changed) {
    informers
        .of(PodFacts.TYPE)
        .listen(NameListener.ofAny(name -> changed.accept(name.namespace())));
  }

  @Override
  public List<Supplier<ApiObject>> pods(String namespace) {
    try {
      return reader
          .list(new Selection(GroupVersion.CORE_V1.resource("pods"), namespace, "", ""))
          .stream()
          .<Supplier<ApiObject>>map(pod -> () -> pod)
          .toList();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException("interrupted", e);
    }
  }
}
