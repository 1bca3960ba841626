package dev.keelson.registry.fieldmanager;

import dev.keelson.api.ApiException;
import dev.keelson.api.CauseList;
import dev.keelson.api.ErrorDetails;
import dev.keelson.api.FieldCause;
import dev.keelson.api.Reason;
import dev.keelson.schema.apply.Ownership.Conflict;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;

/** The error for an apply that would change fields of other managers; kubectl shows its message. */
final class ApplyConflicts {

  private ApplyConflicts() {}

  /**
   * The error, with a cause for each field within the bounds of {@link CauseList}.
   *
   * @param conflicts at least one
   */
  static ApiException error(List<Conflict> conflicts) {
    List<Conflict> told = told(conflicts);
    CauseList causes = new CauseList();
    told.stream()
        .map(
            conflict ->
                new FieldCause(
                    "FieldManagerConflict", "conflict with " + conflict.manager(), conflict.path()))
        .forEach(causes::add);
    causes.omit(conflicts.size() - told.size());
    return new ApiException(
        Reason.CONFLICT, message(conflicts, told), ErrorDetails.NONE.withCauses(causes), null);
  }

  private static List<Conflict> told(List<Conflict> conflicts) {
    return conflicts.subList(0, Math.min(conflicts.size(), CauseList.MOST));
  }

  private static String message(List<Conflict> conflicts, List<Conflict> told) {
    if (conflicts.size() == 1) {
      Conflict only = conflicts.getFirst();
      return "Apply failed with 1 conflict: conflict with " + only.manager() + ": " + only.path();
    }
    Map<String, List<String>> paths =
        told.stream()
            .collect(
                Collectors.groupingBy(
                    Conflict::manager,
                    TreeMap::new,
                    Collectors.mapping(Conflict::path, Collectors.toList())));
    StringBuilder text =
        new StringBuilder("Apply failed with " + conflicts.size() + " conflicts: ");
    String separator = "";
    for (Map.Entry<String, List<String>> manager : paths.entrySet()) {
      text.append(separator).append("conflicts with ").append(manager.getKey()).append(':');
      manager.getValue().forEach(path -> text.append("\n- ").append(path));
      separator = "\n";
    }
    if (told.size() < conflicts.size()) {
      text.append("\nand ").append(conflicts.size() - told.size()).append(" more");
    }
    return text.toString();
  }
}
