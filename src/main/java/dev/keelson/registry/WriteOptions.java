package dev.keelson.registry;

import dev.keelson.request.UserInfo;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;

/**
 * The options of a write.
 *
 * @param dryRun whether to run every stage but storage: nothing is stored or allocated
 * @param fieldManager the name under which {@code managedFields} records the write, never empty
 *     (KEP-555)
 * @param user the user who makes the request
 * @param warnings receives warnings for the client
 * @param creation is run before a replace or a patch brings an object into being; throws if the
 *     user may not create it
 * @param scope what admission knows of the request
 */
public record WriteOptions(
    boolean dryRun,
    String fieldManager,
    UserInfo user,
    Consumer<String> warnings,
    Runnable creation,
    AdmissionScope scope) {

  /** A write of a user who may create missing objects. */
  public WriteOptions(
      boolean dryRun, String fieldManager, UserInfo user, Consumer<String> warnings) {
    this(dryRun, fieldManager, user, warnings, () -> {}, AdmissionScope.SERVER);
  }

  /** The server itself, as a user of its own API. */
  public static final UserInfo SERVER =
      new UserInfo("system:apiserver", "", List.of("system:masters"), Map.of());

  private static final String SERVER_MANAGER = "keelson";

  /** A write of the server itself. */
  public static final WriteOptions PERSIST =
      new WriteOptions(false, SERVER_MANAGER, SERVER, _ -> {});

  /** A write of the server itself by a part that has a field manager of its own. */
  public static WriteOptions persistAs(String fieldManager) {
    return new WriteOptions(false, fieldManager, SERVER, _ -> {});
  }

  /** A dry run of the server itself. */
  public static final WriteOptions DRY_RUN =
      new WriteOptions(true, SERVER_MANAGER, SERVER, _ -> {});

  /** The same write as a dry run. */
  public WriteOptions asDryRun() {
    return new WriteOptions(true, fieldManager, user, warnings, creation, scope);
  }

  /** The same write past admission, which an earlier step of the request has passed. */
  public WriteOptions unadmitted() {
    return new WriteOptions(
        dryRun,
        fieldManager,
        user,
        warnings,
        creation,
        new AdmissionScope(
            scope.verb(),
            /* admitted= */ false,
            scope.options(),
            scope.annotations(),
            scope.deadline()));
  }

  /** A write of the server itself on behalf of this one. */
  public WriteOptions asServer() {
    return dryRun ? DRY_RUN : PERSIST;
  }
}
