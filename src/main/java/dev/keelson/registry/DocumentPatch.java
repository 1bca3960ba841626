package dev.keelson.registry;

import dev.keelson.api.ApiException;
import dev.keelson.api.ErrorDetails;
import dev.keelson.api.FieldCause;
import dev.keelson.api.GroupVersionKind;
import dev.keelson.api.Reason;
import dev.keelson.object.ApiObject;
import dev.keelson.object.Node;
import dev.keelson.object.Node.MapNode;
import dev.keelson.schema.ResourceDefinition;
import dev.keelson.schema.codec.ObjectReader;
import dev.keelson.schema.codec.ObjectWriter;
import dev.keelson.schema.codec.tree.DecodeException;
import dev.keelson.schema.codec.tree.Decoded;
import dev.keelson.schema.codec.tree.FieldValidation;
import dev.keelson.schema.patch.Patch;
import dev.keelson.schema.patch.PatchException;
import dev.keelson.schema.patch.StrategicMergePatch;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;

/**
 * Applies a patch document to objects of one resource. The result is decoded by the schema as if a
 * client had sent it. Errors and their codes are those of kube-apiserver's patch handler.
 */
public final class DocumentPatch implements ObjectPatch {

  /** Maximum characters of the patched object in an Invalid error. */
  private static final int SHOWN_CHARACTERS = 2048;

  private static final GroupVersionKind NO_KIND = new GroupVersionKind("", "", "");

  private final Patch patch;
  private final List<String> documentProblems;
  private final ResourceDefinition definition;
  private final FieldValidation validation;
  private final Consumer<String> warnings;

  /**
   * A patch for objects of {@code definition}.
   *
   * @param documentProblems the problems that strict decoding finds in the document itself
   * @param warnings receives the problems if {@code validation} is to warn
   */
  public DocumentPatch(
      Patch patch,
      List<String> documentProblems,
      ResourceDefinition definition,
      FieldValidation validation,
      Consumer<String> warnings) {
    this.patch = patch;
    this.documentProblems = List.copyOf(documentProblems);
    this.definition = definition;
    this.validation = validation;
    this.warnings = warnings;
  }

  @Override
  public ApiObject apply(ApiObject current) {
    Node patched;
    try {
      patched = patch.apply(current.root());
    } catch (PatchException e) {
      throw refusal(e);
    }
    ApiObject object = new ApiObject(typed(patched, current.root()));
    if (patch instanceof StrategicMergePatch) {
      // it is merged by the path's version, whatever version it names
      return object.withType(current.apiVersion(), current.kind());
    }
    checkType(object, current, patched);
    return object;
  }

  private MapNode typed(Node patched, MapNode current) {
    Decoded decoded;
    try {
      decoded =
          patch instanceof StrategicMergePatch
              ? ObjectReader.converted(patched, current, definition.schema(), validation)
              : ObjectReader.tree(patched, current, definition.schema(), validation);
    } catch (DecodeException e) {
      throw invalid(patched, e.text());
    }
    if (validation != FieldValidation.IGNORE) {
      List<String> problems = new ArrayList<>(documentProblems);
      problems.addAll(decoded.problems());
      if (validation == FieldValidation.STRICT && !problems.isEmpty()) {
        throw invalid(patched, new Decoded(decoded.root(), problems).strictMessage());
      }
      problems.forEach(warnings);
    }
    return decoded.root();
  }

  private void checkType(ApiObject object, ApiObject current, Node patched) {
    if (definition.custom() != null) {
      checkCustomType(object, current);
    }
    if (!object.kind().equals(current.kind())) {
      throw invalid(
          patched,
          "the kind in the data ("
              + object.kind()
              + ") does not match the expected kind ("
              + current.kind()
              + ")");
    }
    if (!object.apiVersion().equals(current.apiVersion())) {
      throw invalid(
          patched,
          "the API version in the data ("
              + object.apiVersion()
              + ") does not match the expected API version ("
              + current.apiVersion()
              + ")");
    }
  }

  /** Custom objects are read whatever type they have; another one is then not valid. */
  private static void checkCustomType(ApiObject object, ApiObject current) {
    List<FieldCause> causes = new ArrayList<>();
    if (!object.kind().equals(current.kind())) {
      causes.add(FieldCause.invalid("kind", object.kind(), "must be " + current.kind()));
    }
    if (!object.apiVersion().equals(current.apiVersion())) {
      causes.add(
          FieldCause.invalid("apiVersion", object.apiVersion(), "must be " + current.apiVersion()));
    }
    if (!causes.isEmpty()) {
      GroupVersionKind sent = new GroupVersionKind(group(object.apiVersion()), "", object.kind());
      throw ApiException.invalid(sent, current.meta().name(), causes);
    }
  }

  private static String group(String apiVersion) {
    int slash = apiVersion.indexOf('/');
    return slash < 0 ? "" : apiVersion.substring(0, slash);
  }

  private ApiException invalid(Node patched, String detail) {
    String shown = patch instanceof StrategicMergePatch ? patch.toString() : shown(patched);
    return ApiException.invalid(NO_KIND, "", List.of(FieldCause.invalid("patch", shown, detail)));
  }

  private static String shown(Node patched) {
    String json = new String(ObjectWriter.json(patched), StandardCharsets.UTF_8);
    return json.length() <= SHOWN_CHARACTERS ? json : json.substring(0, SHOWN_CHARACTERS) + " ...";
  }

  /** The error for a malformed patch, or one that does not apply to the object. */
  public static ApiException refusal(PatchException e) {
    return switch (e.fault()) {
      case MALFORMED -> new ApiException(Reason.BAD_REQUEST, e.text(), ErrorDetails.NONE, e);
      case TOO_LARGE ->
          new ApiException(
              Reason.REQUEST_ENTITY_TOO_LARGE,
              "Request entity too large: " + e.text(),
              ErrorDetails.NONE,
              e);
      // Kubernetes' message gives no detail; the cause does
      case UNFIT ->
          new ApiException(
              Reason.INVALID,
              "the server rejected our request due to an error in our request",
              ErrorDetails.NONE.withCauses(
                  List.of(new FieldCause("FieldValueInvalid", e.text(), "patch"))),
              e);
    };
  }
}
