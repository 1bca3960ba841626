package dev.keelson.schema.validation.core.volume;

import dev.keelson.schema.validation.Formats;
import dev.keelson.schema.validation.Labels;
import dev.keelson.schema.validation.Value;
import java.util.HashSet;
import java.util.Set;

/** Volumes of files that the node projects: config maps, secrets, the downward API, tokens. */
final class ProjectedVolumeRules {
  private static final String BAD_MODE =
      "must be a number between 0 and 0777 (octal), both inclusive";

  private ProjectedVolumeRules() {}

  static void validateFiles(Value source) {
    validateMode(source.get("defaultMode"));
    validateKeyToPaths(source.get("items"));
  }

  private static void validateKeyToPaths(Value items) {
    for (Value item : items) {
      validateKeyToPath(item);
    }
  }

  private static void validateKeyToPath(Value item) {
    item.declared("key", "path");
    validateLocalNonReservedPath(item.get("path"), item.get("path"));
    validateMode(item.get("mode"));
  }

  /**
   * Requires a relative path without parent directories; causes are reported at {@code shownAt}.
   */
  private static void validateLocalNonReservedPath(Value path, Value shownAt) {
    String text = path.text();
    String problem = Formats.RELATIVE_PATH.apply(text);
    if (!problem.isEmpty()) {
      shownAt.invalid(text, problem);
    }
    if (text.startsWith("..") && !text.startsWith("../")) {
      shownAt.invalid(text, "must not start with '..'");
    }
  }

  private static void validateMode(Value mode) {
    if (mode.present() && (mode.number() < 0 || mode.number() > 0777)) {
      mode.invalid(BAD_MODE);
    }
  }

  static void validateDownwardApi(Value source) {
    validateMode(source.get("defaultMode"));
    for (Value file : source.get("items")) {
      validateDownwardApiFile(file, source);
    }
  }

  /** One file; Kubernetes names neither the list nor the file, but {@code shownAt}. */
  private static void validateDownwardApiFile(Value file, Value shownAt) {
    Value path = file.get("path");
    if (!path.filled()) {
      shownAt.get("path").required();
    }
    validateLocalNonReservedPath(path, shownAt.get("path"));
    Value field = file.get("fieldRef");
    Value resource = file.get("resourceFieldRef");
    if (field.present()) {
      FieldReferences.validateObjectFieldSelector(
          field, shownAt.get("fieldRef"), FieldReferences.FILE_FIELDS);
      if (resource.present()) {
        shownAt.invalid(
            "resource", "fieldRef and resourceFieldRef can not be specified simultaneously");
      }
    } else if (resource.present()) {
      FieldReferences.validateContainerResourceFieldSelector(
          resource, shownAt.get("resourceFieldRef"), true);
    } else {
      shownAt.required("one of fieldRef and resourceFieldRef is required");
    }
    Value mode = file.get("mode");
    validateMode(shownAt.get("mode").holding(mode.node()));
  }

  static void validateProjectedVolumeSource(Value source) {
    validateMode(source.get("defaultMode"));
    Set<String> paths = new HashSet<>();
    for (Value each : source.get("sources")) {
      int sources = 0;
      for (String kind :
          new String[] {
            "secret",
            "configMap",
            "downwardAPI",
            "serviceAccountToken",
            "clusterTrustBundle",
            "podCertificate"
          }) {
        Value field = each.get(kind);
        if (field.present()) {
          sources++;
          validateProjection(kind, field, source, paths);
        }
      }
      if (sources > 1) {
        each.forbidden("may not specify more than 1 volume type per source");
      }
    }
  }

  private static void validateProjection(
      String kind, Value field, Value projected, Set<String> paths) {
    switch (kind) {
      case "secret", "configMap" -> {
        field.get("name").needed();
        for (Value item : field.get("items")) {
          validateKeyToPath(item);
          validateUniquePath(item.get("path"), field.get("name").text(), projected, paths);
        }
      }
      case "downwardAPI" -> {
        for (Value file : field.get("items")) {
          validateDownwardApiFile(file, field);
          validateUniquePath(file.get("path"), file.get("path").text(), projected, paths);
        }
      }
      case "serviceAccountToken" -> validateServiceAccountToken(field, projected);
      case "clusterTrustBundle" -> {
        validateClusterTrustBundle(field);
        validateUniquePath(field.get("path"), field.get("path").text(), projected, paths);
      }
      default -> field.get("path").as(Formats.RELATIVE_PATH);
    }
  }

  private static void validateUniquePath(
      Value path, String shown, Value projected, Set<String> paths) {
    if (path.filled() && !paths.add(path.text())) {
      projected.invalid(shown, "conflicting duplicate paths");
    }
  }

  private static void validateServiceAccountToken(Value token, Value projected) {
    Value seconds = token.get("expirationSeconds");
    if (seconds.present() && seconds.number() < 600) {
      seconds.invalid("may not specify a duration less than 10 minutes");
    } else if (seconds.present() && seconds.number() > 1L << 32) {
      seconds.invalid("may not specify a duration larger than 2^32 seconds");
    }
    Value path = token.get("path");
    if (path.filled()) {
      // what is stored already may stay
      if (path.isStored(path.text())) {
        return;
      }
      validateLocalNonReservedPath(token.get("path"), projected.get("path"));
    } else {
      projected.get("path").required();
    }
  }

  private static void validateClusterTrustBundle(Value bundle) {
    Value name = bundle.get("name");
    Value signer = bundle.get("signerName");
    if (name.present() && signer.present()) {
      bundle.invalid("only one of name and signerName may be used");
    } else if (name.present()) {
      name.needed("must be a valid object name");
      if (bundle.get("labelSelector").present()) {
        bundle.get("labelSelector").invalid("labelSelector must be unset if name is specified");
      }
    } else if (signer.present()) {
      signer.needed("must be a valid signer name");
      Labels.validateLabelSelector(bundle.get("labelSelector"));
    } else {
      bundle.required("either name or signerName must be specified");
    }
    validateLocalNonReservedPath(bundle.get("path").needed(), bundle.get("path"));
  }
}
