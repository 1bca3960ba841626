package dev.keelson.http.media;

import dev.keelson.http.Answer;
import dev.keelson.http.ApiRequest;
import dev.keelson.registry.Collection;
import dev.keelson.registry.GenericRegistry;
import dev.keelson.registry.ObjectForms;
import dev.keelson.registry.ObjectWatch;
import dev.keelson.registry.WatchQuery;
import java.util.concurrent.atomic.AtomicReference;

/** Answers watches in the format that the client accepts. */
public final class WatchBodies {

  private final GenericRegistry registry;
  private final JsonForm json;

  public WatchBodies(GenericRegistry registry, ObjectForms forms) {
    this.registry = registry;
    this.json = new JsonForm(registry, forms);
  }

  /** Begins a watch; errors that are known before the first event are thrown. */
  public Answer answer(
      ApiRequest request, Collection collection, WatchQuery query, WatchBody.Options options) {
    String contentType = Negotiation.acceptedForWatch(request);
    AtomicReference<Runnable> waker = new AtomicReference<>(() -> {});
    ObjectWatch watch = registry.watch(collection, query, () -> waker.get().run());
    WatchFrames frames = new WatchFrames(collection.definition(), json);
    return Answer.of(200, contentType, new WatchBody(watch, waker, frames, options));
  }
}
