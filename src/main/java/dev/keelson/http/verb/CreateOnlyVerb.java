package dev.keelson.http.verb;

import dev.keelson.api.GroupVersionKind;
import dev.keelson.api.Verb;
import dev.keelson.http.Answer;
import dev.keelson.http.media.BodyReader;
import dev.keelson.http.media.BodyWriter;
import dev.keelson.object.ApiObject;
import dev.keelson.schema.ResourceDefinition;
import dev.keelson.schema.StructSchema;
import dev.keelson.schema.Subresource;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Posts to resources and subresources that are not stored.
 *
 * @param answers by {@code group/resource} or {@code group/resource/subresource}; may grow until
 *     the server listens
 */
record CreateOnlyVerb(Map<String, CreateOnly> answers, BodyReader reader, BodyWriter writer)
    implements VerbHandler {

  /** This, if there is an answer for the call; else null. */
  @Nullable VerbHandler of(ResourceCall call) {
    return call.info().verb() == Verb.CREATE && answers.containsKey(key(call)) ? this : null;
  }

  @Override
  public Answer handle(ResourceCall call) {
    ResourceDefinition definition = call.definition();
    Subresource part = definition.subresources().get(call.info().subresource());
    GroupVersionKind kind = part == null ? definition.gvk() : part.kind();
    StructSchema schema = part == null ? definition.schema() : part.schema();
    ApiObject sent = reader.object(call.exchange(), schema, kind, Set.of());
    CreateOnly answer = Objects.requireNonNull(answers.get(key(call)));
    ApiObject answered = answer.answer(call.exchange().context(), call.info(), sent);
    return writer.object(
        call.request(), 201, answered.withType(kind.apiVersion(), kind.kind()).root(), schema);
  }

  private static String key(ResourceCall call) {
    String resource = call.info().gvr().group() + "/" + call.info().resource();
    String part = call.info().subresource();
    return part.isEmpty() ? resource : resource + "/" + part;
  }
}
