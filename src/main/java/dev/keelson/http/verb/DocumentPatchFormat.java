package dev.keelson.http.verb;

import dev.keelson.api.ApiException;
import dev.keelson.api.FieldCause;
import dev.keelson.api.GroupVersionKind;
import dev.keelson.api.Reason;
import dev.keelson.http.media.BodyReader;
import dev.keelson.registry.DocumentPatch;
import dev.keelson.registry.ObjectPatch;
import dev.keelson.schema.ResourceDefinition;
import dev.keelson.schema.codec.ObjectReader;
import dev.keelson.schema.codec.tree.DecodeException;
import dev.keelson.schema.codec.tree.DecodeException.Fault;
import dev.keelson.schema.codec.tree.FieldValidation;
import dev.keelson.schema.codec.tree.TreeBudget;
import dev.keelson.schema.codec.tree.Untyped;
import dev.keelson.schema.patch.JsonPatch;
import dev.keelson.schema.patch.MergePatch;
import dev.keelson.schema.patch.Patch;
import dev.keelson.schema.patch.PatchException;
import dev.keelson.schema.patch.StrategicMergePatch;
import java.util.ArrayList;
import java.util.List;

/** JSON patch, merge patch and strategic merge patch (contract, "Patch body"). */
enum DocumentPatchFormat implements PatchFormat {
  JSON("application/json-patch+json", "error decoding patch: "),
  MERGE("application/merge-patch+json", "error decoding patch: "),
  STRATEGIC("application/strategic-merge-patch+json", "");

  private static final GroupVersionKind OPTIONS =
      new GroupVersionKind("meta.k8s.io", "v1", "PatchOptions");

  private final String mediaType;
  private final String errorPrefix;

  DocumentPatchFormat(String mediaType, String errorPrefix) {
    this.mediaType = mediaType;
    this.errorPrefix = errorPrefix;
  }

  @Override
  public String mediaType() {
    return mediaType;
  }

  @Override
  public boolean fits(ResourceDefinition definition) {
    return this != STRATEGIC || definition.behaviour().strategicMerge();
  }

  @Override
  public ObjectPatch read(ResourceCall call) {
    if (call.request().query().has("force")) {
      throw ApiException.invalid(
          OPTIONS,
          "",
          List.of(FieldCause.forbidden("force", "may not be specified for non-apply patch")));
    }
    FieldValidation validation = BodyReader.fieldValidation(call.request());
    try {
      return patch(call, validation);
    } catch (ApiException e) {
      // Kubernetes looks for the object first, and so a missing one is not found
      return _ -> {
        throw e;
      };
    }
  }

  private DocumentPatch patch(ResourceCall call, FieldValidation validation) {
    Untyped document = document(call.request().body(), validation);
    List<String> problems = new ArrayList<>();
    Patch patch;
    try {
      patch =
          switch (this) {
            case JSON -> {
              JsonPatch operations = JsonPatch.of(document.root());
              operations.unknownFields().forEach(problem -> problems.add("json patch " + problem));
              document.problems().forEach(problem -> problems.add("json patch " + problem));
              yield operations;
            }
            case MERGE -> MergePatch.of(document.root());
            case STRATEGIC -> StrategicMergePatch.of(document.root(), call.definition().schema());
          };
    } catch (PatchException e) {
      throw DocumentPatch.refusal(e);
    }
    if (this != JSON) {
      problems.addAll(document.problems());
    }
    return new DocumentPatch(
        patch, problems, call.definition(), validation, call.exchange().context()::warn);
  }

  private Untyped document(byte[] body, FieldValidation validation) {
    try {
      return ObjectReader.untypedJson(body, validation, TreeBudget.forBody(body.length));
    } catch (DecodeException e) {
      if (e.fault() == Fault.SIZE) {
        throw new ApiException(Reason.REQUEST_ENTITY_TOO_LARGE, e.text());
      }
      throw ApiException.badRequest(errorPrefix + e.text());
    }
  }
}
