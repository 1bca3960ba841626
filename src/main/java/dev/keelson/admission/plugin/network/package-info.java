/**
 * Admission plugins for Services and Ingresses: the default class, and no external addresses. Begin
 * with {@link dev.keelson.admission.plugin.network.DefaultIngressClass}.
 */
@NullMarked
package dev.keelson.admission.plugin.network;

import org.jspecify.annotations.NullMarked;
