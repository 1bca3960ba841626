package dev.keelson.authz.rbac;

import dev.keelson.object.ApiObject;
import java.util.Optional;
import java.util.function.UnaryOperator;

/** Roles and bindings as the server itself writes them. Every call blocks. */
public interface RoleStore {

  /** The object, or empty. */
  Optional<ApiObject> get(RoleSource.Kind kind, String namespace, String name);

  /** Creates an object; one that exists already is left alone. */
  void create(RoleSource.Kind kind, String namespace, ApiObject object);

  /** Changes an object that exists; one that is gone is no error. */
  void change(RoleSource.Kind kind, String namespace, String name, UnaryOperator<ApiObject> edit);

  /** Deletes an object; one that is gone is no error. */
  void delete(RoleSource.Kind kind, String namespace, String name);
}
