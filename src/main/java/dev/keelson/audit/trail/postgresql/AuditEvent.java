package dev.keelson.audit.trail.postgresql;

import dev.keelson.audit.trail.TrailEvent;
import dev.keelson.audit.trail.TrailField;
import jakarta.persistence.Column;
import jakarta.persistence.Entity;
import jakarta.persistence.Id;
import jakarta.persistence.Table;
import java.nio.charset.StandardCharsets;
import org.hibernate.annotations.Immutable;
import org.hibernate.annotations.SQLInsert;
import org.hibernate.jdbc.Expectation;

/**
 * A row of the trail as it is written. An event that is stored already is skipped, so that no row
 * is expected. The position is the database's: see {@link StoredEvent}.
 */
@Entity
@Immutable
@Table(name = "audit_event")
@SQLInsert(sql = AuditEvent.INSERT, verify = Expectation.None.class)
class AuditEvent {

  /** The parameters are the properties in the order of their names, then the identifier. */
  static final String INSERT =
      "INSERT INTO audit_event (api_group, audit_id, code, decision, impersonated, json, level,"
          + " name, namespace, resource, source_ips, stage, subresource, text, uid, user_agent,"
          + " user_groups, username, verb, id)"
          + " VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15, $16, $17,"
          + " $18, $19, $20)"
          + " ON CONFLICT (id) DO NOTHING";

  @Id private String id = "";

  @Column(name = "audit_id")
  private String auditId = "";

  @Column(name = "stage")
  private String stage = "";

  @Column(name = "level")
  private String level = "";

  @Column(name = "username")
  private String username = "";

  @Column(name = "impersonated")
  private String impersonated = "";

  @Column(name = "user_groups")
  private String userGroups = "";

  @Column(name = "verb")
  private String verb = "";

  @Column(name = "api_group")
  private String apiGroup = "";

  @Column(name = "resource")
  private String resource = "";

  @Column(name = "subresource")
  private String subresource = "";

  @Column(name = "namespace")
  private String namespace = "";

  @Column(name = "name")
  private String name = "";

  @Column(name = "uid")
  private String uid = "";

  @Column(name = "code")
  private String code = "";

  @Column(name = "decision")
  private String decision = "";

  @Column(name = "source_ips")
  private String sourceIps = "";

  @Column(name = "user_agent")
  private String userAgent = "";

  @Column(name = "text")
  private String text = "";

  @Column(name = "json")
  private String json = "";

  /** For Hibernate. */
  protected AuditEvent() {}

  AuditEvent(TrailEvent event) {
    id = event.id();
    auditId = event.get(TrailField.AUDIT_ID);
    stage = event.get(TrailField.STAGE);
    level = event.get(TrailField.LEVEL);
    username = event.get(TrailField.USER);
    impersonated = event.get(TrailField.IMPERSONATED_USER);
    userGroups = event.get(TrailField.GROUP);
    verb = event.get(TrailField.VERB);
    apiGroup = event.get(TrailField.API_GROUP);
    resource = event.get(TrailField.RESOURCE);
    subresource = event.get(TrailField.SUBRESOURCE);
    namespace = event.get(TrailField.NAMESPACE);
    name = event.get(TrailField.NAME);
    uid = event.get(TrailField.UID);
    code = event.get(TrailField.CODE);
    decision = event.get(TrailField.DECISION);
    sourceIps = event.get(TrailField.SOURCE_IP);
    userAgent = event.get(TrailField.USER_AGENT);
    text = event.text();
    json = new String(event.json(), StandardCharsets.UTF_8);
  }
}
