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
 */
public record WriteOptions(
    boolean dryRun,
    String fieldManager,
    UserInfo user,
    Consumer<String> warnings,
    Runnable creation) {

  /** A write of a user who may create missing objects. */
  public WriteOptions(
      boolean dryRun, String fieldManager, UserInfo user, Consumer<String> warnings) {
    this(dryRun, fieldManager, user, warnings, () -> {});
  }

  /** The server itself, as a user of its own API. */
  public static final UserInfo SERVER =
      new UserInfo("system:apiserver", "", List.of("system:masters"), Map.of());

  private static final String SERVER_MANAGER = "keelson";

  /** A write of the server itself. */
  public static final WriteOptions PERSIST =
      new WriteOptions(false, SERVER_MANAGER, SERVER, _ -> {});

  /** A dry run of the server itself. */
  public static final WriteOptions DRY_RUN =
      new WriteOptions(true, SERVER_MANAGER, SERVER, _ -> {});
}
