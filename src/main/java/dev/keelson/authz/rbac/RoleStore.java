package dev.keelson.authz.rbac;

import dev.keelson.object.ApiObject;
import java.util.Optional;
import java.util.function.UnaryOperator;

/** Reads and writes roles and bindings for the server itself. Every call blocks. */
public interface RoleStore {

  /** Returns the object, or empty. */
  Optional<ApiObject> get(RoleSource.Kind kind, String namespace, String name);

  /** Creates an object; does nothing if it exists. */
  void create(RoleSource.Kind kind, String namespace, ApiObject object);

  /** Updates an object; does nothing if it does not exist. */
  void change(RoleSource.Kind kind, String namespace, String name, UnaryOperator<ApiObject> edit);

  /**
   * Applies fields to a cluster role (server-side apply), also those of other field managers; does
   * nothing if it does not exist.
   *
   * @param fields with the role's name and uid
   */
  void applyClusterRole(ApiObject fields, String fieldManager);

  /** Deletes an object; does nothing if it does not exist. */
  void delete(RoleSource.Kind kind, String namespace, String name);
}
