package dev.keelson.http.verb;

import dev.keelson.api.ApiException;
import dev.keelson.http.ApiResponse;
import dev.keelson.http.media.BodyWriter;
import dev.keelson.http.media.Negotiation;
import dev.keelson.registry.Collection;
import dev.keelson.registry.ObjectPatch;
import dev.keelson.registry.WriteOptions;
import dev.keelson.registry.write.Written;
import dev.keelson.request.Spans;
import java.util.List;
import java.util.stream.Collectors;

/** Patches an object or a subresource: 200, or 201 if the patch creates the object. */
final class PatchVerb implements VerbHandler {

  /** The target: the object or its status. */
  @FunctionalInterface
  interface Target {
    Written patch(Collection collection, String name, ObjectPatch patch, WriteOptions options);
  }

  private final Target target;
  private final List<PatchFormat> formats;
  private final BodyWriter writer;

  /**
   * Creates the verb for one target.
   *
   * @param formats the supported patch types, in the order of the error message
   */
  PatchVerb(Target target, List<? extends PatchFormat> formats, BodyWriter writer) {
    this.target = target;
    this.formats = List.copyOf(formats);
    this.writer = writer;
  }

  @Override
  public ApiResponse handle(ResourceCall call) {
    // the patch type is checked first, as in Kubernetes
    PatchFormat format = format(call);
    WriteOptions options = call.writeOptions();
    ObjectPatch patch = format.read(call);
    Spans.event(BODY_READ);
    Spans.event(AUDITED);
    Spans.event("About to apply patch");
    Written written = target.patch(call.collection(), call.info().name(), patch, options);
    Spans.event("Object stored in database");
    Spans.event(ABOUT_TO_WRITE);
    return writer.object(call.request(), written.created() ? 201 : 200, written.object());
  }

  private PatchFormat format(ResourceCall call) {
    String type = Negotiation.sentType(call.request());
    List<PatchFormat> fitting =
        formats.stream().filter(format -> format.fits(call.definition())).toList();
    for (PatchFormat format : fitting) {
      if (format.mediaType().equals(type)) {
        return format;
      }
    }
    throw unknownType(fitting);
  }

  private static ApiException unknownType(List<PatchFormat> accepted) {
    return Negotiation.unknownType(
        accepted.stream().map(PatchFormat::mediaType).collect(Collectors.joining(", ")));
  }
}
