package dev.keelson.http.verb;

import dev.keelson.http.Answer;
import dev.keelson.http.media.BodyWriter;
import dev.keelson.registry.GenericRegistry;

/** Reads one object. */
final class GetVerb implements VerbHandler {
  private final GenericRegistry registry;
  private final BodyWriter writer;

  GetVerb(GenericRegistry registry, BodyWriter writer) {
    this.registry = registry;
    this.writer = writer;
  }

  @Override
  public Answer handle(ResourceCall call) {
    return writer.object(call.request(), 200, registry.get(call.collection(), call.info().name()));
  }
}
